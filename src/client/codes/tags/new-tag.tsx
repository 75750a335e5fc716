import { TextInput } from '@mantine/core'
import { foldedTag } from '#contract/codes/code-values.ts'
import { tagName } from '#contract/codes/tags.ts'
import { z } from '#contract/zod.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import formStyles from '../../ui/form.module.css'
import { useNameForm } from '../name-form.tsx'

/** A typed name without blanks around it and commas, which separate tags. */
export const typedTag = (text: string) => text.replaceAll(',', ' ').replace(/\s+/g, ' ').trim()

/** The tag of that name as the account spells it. */
export const known = (names: readonly string[], name: string): string | undefined =>
  names.find((one) => foldedTag(one) === foldedTag(name))

/** A name as it is typed. */
export const typedName = z.preprocess((name) => typedTag(String(name)), tagName)

const schema = z.object({ name: typedName })

type Props = {
  go: string
  busy?: boolean
  add: (name: string, answers: { onSuccess: () => void; onError: (error: unknown) => void }) => void
}

/** A field for the name of a new tag. */
export function NewTag({ go, busy = false, add }: Props) {
  const { form, submit } = useNameForm({
    initialValues: { name: '' },
    schema,
    save: ({ name }, answers) => busy || add(typedTag(name), answers),
    onDone: () => form.reset(),
    failed: 'Failed to create this tag',
  })
  return (
    <form noValidate onSubmit={submit}>
      <TextInput
        label="New tag"
        autoComplete="off"
        data-autofocus
        inputContainer={(input) => (
          <div className={formStyles.entry}>
            {input}
            <BusyButton
              type="submit"
              variant="default"
              busy={busy}
              busyText="Creating..."
              disabled={typedTag(form.values.name) === ''}
            >
              {go}
            </BusyButton>
          </div>
        )}
        {...form.getInputProps('name')}
      />
    </form>
  )
}
