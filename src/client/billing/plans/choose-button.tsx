import { Button } from '@mantine/core'
import type { Plan } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'

type Props = {
  plan: Plan
  /** The button that stands out in its row. */
  primary: boolean
  isCurrent: boolean
  busy: boolean
  disabled: boolean
  onChoose: () => void
}

export function ChooseButton({ plan, primary, isCurrent, ...choice }: Props) {
  const { busy, disabled, onChoose } = choice
  if (isCurrent) {
    return (
      <Button fullWidth px="xs" disabled>
        Current Plan
      </Button>
    )
  }
  return (
    <BusyButton
      fullWidth
      px="xs"
      variant={primary ? 'filled' : 'default'}
      disabled={disabled && !busy}
      busy={busy}
      busyText="Creating..."
      onClick={onChoose}
    >
      {`Choose ${plan.name}`}
    </BusyButton>
  )
}
