import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '../api.ts'
import { focusFirstError } from './focus.ts'

export type FieldOf = Partial<Record<ErrorCode, string>>

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

/** What the server refused, by its field; empty for any other failure. `fieldOf` has refusals of one field. */
export function fieldErrors(error: unknown, fieldOf: FieldOf = {}): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOf[error.code]
  return field ? { [field]: error.serverMessage ?? '' } : error.fields
}

/** Shows what the server refused at its fields, the first of which gets the focus. Returns whether there are any. */
export function showFieldErrors(form: Form, error: unknown, fieldOf?: FieldOf): boolean {
  const errors = fieldErrors(error, fieldOf)
  form.setErrors(errors)
  focusFirstError(form)(errors)
  return Object.keys(errors).length > 0
}
