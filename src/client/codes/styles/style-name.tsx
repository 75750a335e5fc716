import { Switch } from '@mantine/core'
import { type KeptStyle, styleName } from '#contract/pictures/styles.ts'
import { z } from '#contract/zod.ts'
import { NameForm, useNameForm } from '../name-form.tsx'
import type { LookValues } from './queries.ts'
import { useChangeStyle, useSaveStyle } from './queries.ts'

const schema = z.object({ name: styleName })

/** Keeps the form's look. */
export function NewStyleName({ look, onDone }: { look: LookValues | null; onDone: () => void }) {
  const keep = useSaveStyle()
  const { form, submit } = useNameForm({
    initialValues: { name: '', isDefault: false },
    schema,
    save: (values, answers) =>
      look ? keep.mutate({ ...values, look }, answers) : form.setErrors({ name: WRONG_LOOK }),
    onDone,
    failed: 'Failed to save this style',
  })
  return (
    <NameForm
      label="Name of the style"
      form={form}
      submit={submit}
      busy={keep.isPending}
      go="Save style"
      onCancel={onDone}
    >
      <Switch
        size="sm"
        label="Use for new codes"
        {...form.getInputProps('isDefault', { type: 'checkbox' })}
      />
    </NameForm>
  )
}

const WRONG_LOOK = 'First put right what is wrong with its colours or texts.'

/** Gives a style another name. */
export function StyleName({ one, onDone }: { one: KeptStyle; onDone: () => void }) {
  const change = useChangeStyle()
  const { form, submit } = useNameForm({
    initialValues: { name: one.name },
    schema,
    save: ({ name }, answers) => change.mutate({ id: one.id, name }, answers),
    onDone,
    failed: 'Failed to rename this style',
  })
  return (
    <NameForm
      label={`New name of “${one.name}”`}
      form={form}
      submit={submit}
      busy={change.isPending}
      go="Rename"
      onCancel={onDone}
    />
  )
}
