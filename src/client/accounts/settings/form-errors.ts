import { ApiError } from '../../api.ts'
import { focusFirstError } from '../../ui/focus.ts'

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

/** Shows what the server refused at its fields; the call itself tells of anything else. */
export function showErrors(form: Form): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof ApiError)) return
    form.setErrors(error.fields)
    focusFirstError(form)(error.fields)
  }
}
