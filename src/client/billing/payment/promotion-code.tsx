import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { BusyButton } from '../../ui/busy-button.tsx'
import { showFieldErrors } from '../../ui/field-errors.ts'
import formStyles from '../../ui/form.module.css'
import { usePromotion } from '../queries.ts'

/** The field for a promotion code. The page loads again with what the code changes. */
export function PromotionCode({ id }: { id: string }) {
  const form = useForm({ initialValues: { code: '' } })
  const { go: apply, busy } = usePromotion(id, (error) =>
    showFieldErrors(form, error, { promotion_refused: 'code' }),
  )
  const submit = form.onSubmit(({ code }) => {
    if (!busy && code.trim() !== '') apply(code)
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextInput
        label="Promotion code"
        autoComplete="off"
        spellCheck={false}
        inputContainer={(input) => (
          <div className={formStyles.entry}>
            {input}
            <BusyButton type="submit" variant="default" busy={busy} busyText="Applying...">
              Apply
            </BusyButton>
          </div>
        )}
        {...form.getInputProps('code')}
      />
    </form>
  )
}
