import { SimpleGrid, Stack, TextInput, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TestCard } from '#contract/sandbox.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { focusFirstError } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import styles from '../billing.module.css'
import { type CardFields, cardErrors, TEST_NUMBERS, testCardOf, testCards } from './test-card.ts'

type Props = {
  submit: string
  busyText: string
  busy: boolean
  error: string | null
  /** The form replaces the button that had the focus. */
  takesFocus?: boolean
  onPay: (card: TestCard) => void
}

/** No browser offers a real card here: the fields have no names that it knows. */
const PRIVATE = { autoComplete: 'off', spellCheck: false } as const

const focusFirstField = (form: HTMLElement | null) => form?.querySelector('input')?.focus()

/** A form for test cards. The number never leaves it; the caller learns what the card does. */
export function TestCardForm({ submit, busyText, busy, error, takesFocus, onPay }: Props) {
  const form = useForm<CardFields>({
    mode: 'uncontrolled',
    initialValues: { number: '', expiry: '', cvc: '' },
    validate: (fields) => cardErrors(fields, new Date()),
  })
  /** Plays the bank that wants to hear from the owner of a card. */
  const askAsBank = (card: TestCard) => {
    let answer: TestCard = 'declined'
    confirm({
      title: 'Confirm your payment',
      text: 'This stands in for 3-D Secure, where your bank asks whether it’s you.',
      stay: 'Decline',
      go: 'Confirm',
      grave: false,
      onGo: () => {
        answer = card
      },
      onClosed: () => onPay(answer),
    })
  }
  const pay = ({ number }: CardFields) => {
    const card = testCardOf(number)
    if (!card || busy) return
    if (card === 'asks') askAsBank(card)
    else onPay(card)
  }
  return (
    <form
      noValidate
      autoComplete="off"
      ref={takesFocus ? focusFirstField : undefined}
      onSubmit={form.onSubmit(pay, focusFirstError(form))}
    >
      <Stack>
        <TestCardNote />
        <FailureAlert message={error} />
        <TextInput
          {...PRIVATE}
          {...form.getInputProps('number')}
          label="Test card number"
          inputMode="numeric"
        />
        <SimpleGrid cols={2}>
          <TextInput {...PRIVATE} {...form.getInputProps('expiry')} label="Expiry (MM/YY)" />
          <TextInput {...PRIVATE} {...form.getInputProps('cvc')} label="CVC" inputMode="numeric" />
        </SimpleGrid>
        <BusyButton type="submit" fullWidth busy={busy} busyText={busyText}>
          {submit}
        </BusyButton>
        <VisuallyHidden role="status">{busy ? busyText : ''}</VisuallyHidden>
      </Stack>
    </form>
  )
}

const effects: Record<TestCard, string> = {
  pays: 'succeeds',
  asks: 'asks for confirmation (3-D Secure), then succeeds',
  declined: 'is declined',
  fails_later: 'succeeds once, then fails at renewal',
}

/** Says that this page takes no real card. */
function TestCardNote() {
  return (
    <div className={styles.note} role="note" aria-label="Test payment">
      <p>
        <b>Test mode.</b> Don’t enter a real card. Nothing is charged or stored.
      </p>
      <ul>
        {testCards.map((card) => (
          <li key={card}>
            <b>{TEST_NUMBERS[card]}</b> {effects[card]}
          </li>
        ))}
      </ul>
    </div>
  )
}
