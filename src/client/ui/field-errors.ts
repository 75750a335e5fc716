import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '../api.ts'
import { focusFirstError } from './focus.ts'

/** Refusals that belong to one field, by its name. */
export type FieldOf = Partial<Record<ErrorCode, string>>

const usualFields: FieldOf = { wrong_code: 'code', wrong_password: 'password' }

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

/** The refused fields with their errors; empty for any other failure. */
export function fieldErrors(error: unknown, fieldOf = usualFields): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOf[error.code]
  return field ? { [field]: error.serverMessage ?? '' } : error.fields
}

/** Shows the errors of refused fields and focuses the first of them. Returns whether there are any. */
export function showFieldErrors(form: Form, error: unknown, fieldOf?: FieldOf): boolean {
  const errors = fieldErrors(error, fieldOf)
  form.setErrors(errors)
  focusFirstError(form)(errors)
  return Object.keys(errors).length > 0
}
