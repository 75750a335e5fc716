import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from '#contract/zod.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import { showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError } from '../../ui/focus.ts'

export type Submission<Body, Answer> = {
  schema: z.ZodType<unknown>
  initialValues: Body
  onValuesChange?: (values: Body) => void
  send: (body: Body) => Promise<Answer>
  onDone?: (answer: Answer, body: Body, form: UseFormReturnType<Body>) => void
  /** Handles a refusal that ends this form; returns whether this was one. */
  onRefused?: (error: ApiError, form: UseFormReturnType<Body>) => boolean
}

/** A form that is sent. Errors of fields are shown at the fields; `failure` is any other message. */
export function useSubmission<Body extends Record<string, unknown>, Answer>({
  schema,
  initialValues,
  onValuesChange,
  send,
  onDone,
  onRefused,
}: Submission<Body, Answer>) {
  const form = useForm<Body>({
    initialValues,
    validate: schemaResolver(schema, { sync: true }),
    onValuesChange,
    enhanceGetInputProps: ({ field }) => ({ name: field }),
  })
  const isShown = (error: unknown) =>
    (error instanceof ApiError && onRefused?.(error, form)) || showFieldErrors(form, error)
  const sending = useSending(async (body: Body) => {
    const answer = await send(body)
    onDone?.(answer, body, form)
  }, isShown)
  return { ...sending, form, onSubmit: form.onSubmit(sending.send, focusFirstError(form)) }
}

/**
 * A call with the message of its failure, unless `isShown` has shown the error. It stays busy after a
 * success, because the page is then left.
 */
export function useSending<Input extends unknown[]>(
  call: (...input: Input) => Promise<void>,
  isShown: (error: unknown) => boolean = () => false,
) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const send = async (...input: Input) => {
    setBusy(true)
    setFailure(null)
    try {
      await call(...input)
    } catch (error) {
      setBusy(false)
      if (!isShown(error)) setFailure(failureOf(error))
    }
  }
  return { send, busy, failure, forget: () => setFailure(null) }
}

/** The server's message about a failed call, or that the server gave no answer. */
export function failureOf(error: unknown): string {
  return serverMessageOf(error) ?? 'We can’t reach the server. Please try again.'
}
