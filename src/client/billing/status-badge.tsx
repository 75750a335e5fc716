import { Badge, type MantineSize } from '@mantine/core'
import { BAD, DOUBTFUL } from '../ui/theme/theme.ts'
import styles from './billing.module.css'

type StatusKind = 'good' | 'warning' | 'bad' | 'neutral'

const colours = { good: undefined, neutral: undefined, warning: DOUBTFUL, bad: BAD }

type Props = { kind: StatusKind; size?: MantineSize; children: string }

/** The status of a plan or an invoice. Solid colours are for statuses that need an action. */
export function StatusBadge({ kind, size, children }: Props) {
  return (
    <Badge tt="none" size={size} color={colours[kind]} className={styles.badge} data-kind={kind}>
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
