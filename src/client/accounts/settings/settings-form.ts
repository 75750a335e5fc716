import { schemaResolver, useForm } from '@mantine/form'
import type { z } from '#contract/zod.ts'
import { type FieldOf, showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError } from '../../ui/focus.ts'

/** Refusals that belong to one field, by its name. */
export const settingsFields: FieldOf = { wrong_code: 'code' }

type Answers = { onSuccess: () => void; onError: (error: unknown) => void }

/** A form of the settings, which is emptied when its change is made. The call itself reports what belongs to no field. */
export function useSettingsForm<Values extends Record<string, unknown>>(
  initialValues: Values,
  schema: z.ZodType<unknown>,
  save: (values: Values, answers: Answers) => void,
) {
  const form = useForm<Values>({ initialValues, validate: schemaResolver(schema, { sync: true }) })
  const submit = (values: Values) =>
    save(values, {
      onSuccess: () => form.reset(),
      onError: (error) => showFieldErrors(form, error, settingsFields),
    })
  return { form, onSubmit: form.onSubmit(submit, focusFirstError(form)) }
}
