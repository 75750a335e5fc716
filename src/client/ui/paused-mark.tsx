import { Badge } from '@mantine/core'
import { DOUBTFUL } from './theme/theme.ts'

/** Marks a key or a link that waits for its owner after a restore of a backup. */
export function PausedMark() {
  return (
    <Badge component="span" color={DOUBTFUL} tt="none" style={{ verticalAlign: 'middle' }}>
      Paused
    </Badge>
  )
}
