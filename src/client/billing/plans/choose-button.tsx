import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Plan } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'

type Props = {
  plan: Plan
  /** Chosen on another screen: the button gets the focus and is scrolled into view. */
  wanted: boolean
  /** The button that stands out in its row. */
  primary: boolean
  isCurrent: boolean
  busy: boolean
  disabled: boolean
  onChoose: () => void
}

export function ChooseButton({ plan, wanted, primary, isCurrent, ...choice }: Props) {
  const { busy, disabled, onChoose } = choice
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!wanted) return
    button.current?.scrollIntoView({ block: 'center' })
    button.current?.focus({ preventScroll: true })
  }, [wanted])
  if (isCurrent) {
    return (
      <Button fullWidth px="xs" disabled>
        Current Plan
      </Button>
    )
  }
  return (
    <BusyButton
      ref={button}
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
