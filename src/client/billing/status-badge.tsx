import { Badge, type MantineSize } from '@mantine/core'
import { BAD, DOUBTFUL } from '../ui/theme.ts'
import styles from './status-badge.module.css'

export type Standing = 'well' | 'doubtful' | 'bad' | 'resting'

const colours = { well: undefined, resting: undefined, doubtful: DOUBTFUL, bad: BAD }

type Props = { standing: Standing; size?: MantineSize; children: string }

/** How a plan or an invoice stands. Solid is only what somebody has to see to. */
export function StatusBadge({ standing, size, children }: Props) {
  return (
    <Badge
      tt="none"
      size={size}
      color={colours[standing]}
      className={styles.badge}
      data-standing={standing}
    >
      {children}
    </Badge>
  )
}
