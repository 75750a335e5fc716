import { Badge, type BadgeProps, type MantineSize } from '@mantine/core'
import { BAD, DOUBTFUL } from '../ui/theme/theme.ts'

type StatusKind = 'good' | 'warning' | 'bad' | 'neutral'

/** Like the codes on the dashboard: only a status that is not good stands out. */
const looks: Record<StatusKind, BadgeProps> = {
  good: { bg: 'color-mix(in srgb, var(--good) 14%, var(--panel))', c: 'var(--good)' },
  neutral: { bg: 'var(--tint)', c: 'var(--quiet)', bd: '1px solid var(--line)' },
  warning: { color: DOUBTFUL },
  bad: { color: BAD },
}

type Props = { kind: StatusKind; size?: MantineSize; children: string }

/** The status of a plan or an invoice. */
export function StatusBadge({ kind, size, children }: Props) {
  return (
    <Badge tt="none" size={size} miw="max-content" {...looks[kind]}>
      {children}
    </Badge>
  )
}

const invoiceStatuses: Record<string, { text: string; kind: StatusKind }> = {
  paid: { text: 'Paid', kind: 'good' },
  open: { text: 'Due', kind: 'warning' },
  uncollectible: { text: 'Not paid', kind: 'bad' },
}

/** The provider's status of an invoice in our words, and how its badge looks. */
export function invoiceStatus(status: string): { text: string; kind: StatusKind } {
  const text = status.charAt(0).toUpperCase() + status.slice(1)
  return invoiceStatuses[status] ?? { text, kind: 'neutral' }
}
