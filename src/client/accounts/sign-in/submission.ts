import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from '#contract/zod.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import { type FieldOf, showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError } from '../../ui/focus.ts'

type Submission<Body, Answer> = {
  schema: z.ZodType<unknown>
  initialValues: Body
  onValuesChange?: (values: Body) => void
  send: (body: Body) => Promise<Answer>
  onDone: (answer: Answer, body: Body) => void
  /** Refusals that belong to one field, by its name; any other message stands above the fields. */
  fieldOf?: FieldOf
  /** Refusals that end this form; true if it was one. */
  onRefused?: (error: ApiError, form: UseFormReturnType<Body>) => boolean
}

/** A form that is sent. The server's field errors show at their fields, any other message above them. */
export function useSubmission<Body extends Record<string, unknown>, Answer>(
  how: Submission<Body, Answer>,
) {
  const { schema, initialValues, onValuesChange, send, onDone, fieldOf, onRefused } = how
  const form = useForm<Body>({
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
    ...(onValuesChange && { onValuesChange }),
  })
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const submit = async (body: Body) => {
    setBusy(true)
    setFailure(null)
    try {
      onDone(await send(body), body)
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && onRefused?.(error, form)) return
      if (!showFieldErrors(form, error, fieldOf)) setFailure(failureOf(error))
    }
  }
  return { form, submit, onSubmit: form.onSubmit(submit, focusFirstError(form)), busy, failure }
}

/** What the server says about a call that failed, or that it said nothing. */
export function failureOf(error: unknown): string {
  return serverMessageOf(error) ?? 'The server could not be reached. Please try again.'
}
