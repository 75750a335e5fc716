import { CircleCheck, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import type { Verdict } from '#qr/scan-check/verdict.ts'
import { verdictTexts } from '../drawing/verdict-text.ts'
import { BAD, DOUBTFUL, GOOD } from '../ui/theme/theme.ts'

type Shown = {
  color: string
  icon: LucideIcon
  /** Shown in the table for a code that should not be printed as it is. */
  warning: string | null
}

/** How each verdict is shown. The icon and the word say the same as the colour. */
export const scanVerdicts: Record<Verdict, Shown> = {
  excellent: { color: GOOD, icon: CircleCheck, warning: null },
  good: { color: GOOD, icon: CircleCheck, warning: null },
  risky: { color: DOUBTFUL, icon: TriangleAlert, warning: verdictTexts.risky },
  unreadable: { color: BAD, icon: OctagonX, warning: verdictTexts.unreadable },
}
