import { Stack, VisuallyHidden } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { TestCard } from '#contract/billing/sandbox.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import styles from '../billing.module.css'

type Props = {
  submit: string
  busyText: string
  busy: boolean
  error: string | null
  /** The form replaces the button that had the focus. */
  takesFocus?: boolean
  onPay: (card: TestCard) => void
}

/** The test cards, and how a payment with each ends. */
export const testCards: Record<TestCard, string> = {
  pays: '4242 4242 4242 4242 succeeds',
  asks: '4000 0025 0000 3155 asks for confirmation (3-D Secure), then succeeds',
  declined: '4000 0000 0000 0002 is declined',
  fails_later: '4000 0000 0000 0341 succeeds once, then fails at renewal',
}

const options = Object.entries(testCards).map(([value, label]) => ({
  value: value as TestCard,
  label,
}))

const focusFirstField = (form: HTMLElement | null) => form?.querySelector('input')?.focus()

/** A choice of test cards. It has no field into which a real card's number could be typed. */
export function TestCardForm({ submit, busyText, busy, error, takesFocus, onPay }: Props) {
  const [card, setCard] = useState<TestCard>('pays')
  const pay = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (card === 'asks') askAsBank(onPay)
    else onPay(card)
  }
  return (
    <form ref={takesFocus ? focusFirstField : undefined} onSubmit={pay}>
      <Stack>
        <div className={styles.note} role="note" aria-label="Test payment">
          <b>Test mode.</b> Nothing is charged or stored.
        </div>
        <FailureAlert message={error} />
        <Choices label="Test card" options={options} value={card} onChange={setCard} />
        <BusyButton type="submit" fullWidth busy={busy} busyText={busyText}>
          {submit}
        </BusyButton>
        <VisuallyHidden role="status">{busy ? busyText : ''}</VisuallyHidden>
      </Stack>
    </form>
  )
}

/** Plays the bank that wants to hear from the owner of a card. */
function askAsBank(onPay: (card: TestCard) => void) {
  let answer: TestCard = 'declined'
  confirm({
    title: 'Confirm your payment',
    text: 'This stands in for 3-D Secure, where your bank asks whether it’s you.',
    stay: 'Decline',
    go: 'Confirm',
    grave: false,
    onGo: () => {
      answer = 'asks'
    },
    onClosed: () => onPay(answer),
  })
}
