import { Group, Stack, TextInput } from '@mantine/core'
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import type { KeyboardEvent, ReactNode } from 'react'
import type { z } from '#contract/zod.ts'
import { ApiError } from '../api.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { reportFailure } from '../ui/messages/failure.ts'
import { PlainButton } from '../ui/plain-button.tsx'

type Answers = { onSuccess: () => void; onError: (error: unknown) => void }

type Options<Values> = {
  initialValues: Values
  schema: z.ZodType<unknown>
  save: (values: Values, answers: Answers, form: UseFormReturnType<Values>) => void
  onDone: () => void
  /** Said if the server has no words for what went wrong */
  failed: string
}

/** The form of something with a name, such as a tag or a style. A refusal is shown at the name. */
export function useNameForm<Values extends { name: string }>(options: Options<Values>) {
  const { initialValues, schema, save, onDone, failed } = options
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema, { sync: true }) })
  const onError = (error: unknown) => {
    if (!(error instanceof ApiError && error.serverMessage) || error.status === 401) {
      return reportFailure(error, failed)
    }
    form.setErrors({ name: error.fields.name ?? error.serverMessage })
  }
  const submit = form.onSubmit((values) => save(values, { onSuccess: onDone, onError }, form))
  return { form, submit }
}

type Props<Values> = Options<Values> & {
  label: string
  busy: boolean
  go: string
  /** More fields */
  children?: (form: UseFormReturnType<Values>) => ReactNode
}

/** The same with its fields and buttons. They may stand in another form, which Enter must not save and Esc must not leave. */
export function NameForm<Values extends { name: string }>(props: Props<Values>) {
  const { label, busy, go, onDone, children } = props
  const { form, submit } = useNameForm(props)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone()
    if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    if (!busy) submit()
  }
  return (
    <Stack
      gap={10}
      w="100%"
      mt={8}
      p={12}
      bd="1px solid var(--line)"
      bdrs="md"
      onKeyDown={onKeyDown}
    >
      <TextInput
        label={label}
        ref={focusAndSelect}
        autoComplete="off"
        data-mantine-stop-propagation="true"
        {...form.getInputProps('name')}
      />
      {children?.(form)}
      <Group gap={8} justify="flex-end">
        <PlainButton size="sm" onClick={onDone}>
          Cancel
        </PlainButton>
        <BusyButton
          size="sm"
          type="button"
          busy={busy}
          busyText="Saving..."
          onClick={() => submit()}
        >
          {go}
        </BusyButton>
      </Group>
    </Stack>
  )
}

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
