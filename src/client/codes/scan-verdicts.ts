import { CircleCheck, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import { BAD, DOUBTFUL, GOOD } from '../ui/theme.ts'

type Shown = {
  color: string
  icon: LucideIcon
  /** What the table says of a code that should not be printed as it is. */
  warning: string | null
}

/** How each verdict is shown: an icon and a word say what the colour does. */
export const scanVerdicts: Record<Verdict, Shown> = {
  excellent: { color: GOOD, icon: CircleCheck, warning: null },
  good: { color: GOOD, icon: CircleCheck, warning: null },
  risky: { color: DOUBTFUL, icon: TriangleAlert, warning: 'Risky to scan' },
  unreadable: { color: BAD, icon: OctagonX, warning: 'Cannot be scanned' },
}
