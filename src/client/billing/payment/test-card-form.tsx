import { Alert, Button, SimpleGrid, Stack, TextInput, VisuallyHidden } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { TestCard } from '#contract/sandbox.ts'
import { focusFirstError } from '../../ui/focus.ts'
import { BAD_TEXT } from '../../ui/theme.ts'
import { type CardFields, cardErrors, testCardOf } from './test-card.ts'
import { TestCardNote } from './test-card-note.tsx'

type Props = {
  submit: string
  busyText: string
  busy: boolean
  error?: string | null
  onPay: (card: TestCard) => void
}

/** No browser offers a real card here: it knows no field by its name, and is told to keep off. */
const PRIVATE = { autoComplete: 'off', spellCheck: false } as const

/** A card form for trying things out. The number stays in it; what it stands for is handed on. */
export function TestCardForm({ submit, busyText, busy, error, onPay }: Props) {
  const form = useForm<CardFields>({
    mode: 'uncontrolled',
    initialValues: { number: '', expiry: '', cvc: '' },
    validate: (fields) => cardErrors(fields, new Date()),
  })
  const pay = ({ number }: CardFields) => {
    const card = testCardOf(number)
    if (card && !busy) onPay(card)
  }
  return (
    <form noValidate autoComplete="off" onSubmit={form.onSubmit(pay, focusFirstError(form))}>
      <Stack>
        <TestCardNote />
        {error && (
          <Alert color={BAD_TEXT} variant="outline" role="alert">
            {error}
          </Alert>
        )}
        <TextInput
          {...PRIVATE}
          label="Test card number"
          inputMode="numeric"
          key={form.key('number')}
          {...form.getInputProps('number')}
        />
        <SimpleGrid cols={2}>
          <TextInput
            {...PRIVATE}
            label="Expiry (MM/YY)"
            key={form.key('expiry')}
            {...form.getInputProps('expiry')}
          />
          <TextInput
            {...PRIVATE}
            label="CVC"
            inputMode="numeric"
            key={form.key('cvc')}
            {...form.getInputProps('cvc')}
          />
        </SimpleGrid>
        {/* Not disabled while busy: the focus stays on it, and it says what is under way. */}
        <Button type="submit" fullWidth aria-disabled={busy || undefined}>
          {busy ? busyText : submit}
        </Button>
        <VisuallyHidden role="status">{busy ? busyText : ''}</VisuallyHidden>
      </Stack>
    </form>
  )
}
