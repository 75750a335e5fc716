import { useState } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError, serverMessageOf } from '../api.ts'
import { focusFirstError } from '../ui/focus.ts'

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

type Submission<Body, Answer> = {
  send: (body: Body) => Promise<Answer>
  onDone: (answer: Answer, body: Body) => void
  /** Refusals that belong to one field, by its name; any other message stands above the fields. */
  fieldOf?: Partial<Record<ErrorCode, string>>
  /** Refusals that end this form; true if it was one. */
  onRefused?: (error: ApiError) => boolean
}

/** Sends a form. The server's field errors show at their fields, any other message above them. */
export function useSubmission<Body, Answer>(form: Form, how: Submission<Body, Answer>) {
  const { send, onDone, fieldOf = {}, onRefused } = how
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = async (body: Body) => {
    setBusy(true)
    setFailure(null)
    try {
      onDone(await send(body), body)
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && onRefused?.(error)) return
      const fields = fieldErrors(error, fieldOf)
      form.setErrors(fields)
      focusFirstError(form)(fields)
      if (Object.keys(fields).length === 0) setFailure(failureOf(error))
    }
  }
  return { submit, busy, failure }
}

function fieldErrors(error: unknown, fieldOf: Partial<Record<ErrorCode, string>>) {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOf[error.code]
  return field ? { [field]: error.serverMessage ?? '' } : error.fields
}

/** What the server says about a call that failed, or that it said nothing. */
export function failureOf(error: unknown): string {
  return serverMessageOf(error) ?? 'The server could not be reached. Please try again.'
}
