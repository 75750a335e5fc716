import type { ErrorCode } from '#contract/errors.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import { focusFirstError } from '../../ui/focus.ts'

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

/** Refusals that belong to one field, by its name. */
const fieldOf: Partial<Record<ErrorCode, string>> = { wrong_code: 'code' }

/** What the server refused, by its field; empty for any other failure. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOf[error.code]
  return field ? { [field]: serverMessageOf(error) ?? '' } : error.fields
}

/** Shows what the server refused at its fields; the call itself tells of anything else. */
export function showErrors(form: Form): (error: unknown) => void {
  return (error) => {
    const errors = fieldErrors(error)
    form.setErrors(errors)
    focusFirstError(form)(errors)
  }
}
