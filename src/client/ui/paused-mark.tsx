import { Badge } from '@mantine/core'
import { BusyButton } from './busy-button.tsx'
import { DOUBTFUL } from './theme/theme.ts'

/** Marks a key or a link that waits for its owner after a restore of a backup. */
export function PausedMark() {
  return (
    <Badge component="span" color={DOUBTFUL} tt="none" style={{ verticalAlign: 'middle' }}>
      Paused
    </Badge>
  )
}

type ResumeProps = { name: string; isBusy: boolean; onClick: () => void }

/** Turns such a key or link on again. */
export function ResumeButton({ name, isBusy, onClick }: ResumeProps) {
  return (
    <BusyButton
      variant="default"
      size="xs"
      aria-label={`Turn on again: ${name}`}
      busy={isBusy}
      busyText="Turning on..."
      onClick={onClick}
    >
      Turn on again
    </BusyButton>
  )
}
