import { useState } from 'react'
import { ApiError, serverMessageOf } from '../api.ts'
import { focusFirstError } from '../ui/focus.ts'

type Form = {
  setErrors: (errors: Record<string, string>) => void
  getInputNode: (path: string) => HTMLElement | null
}

/** Sends a form. The server's field errors show at their fields, any other message above them. */
export function useSubmission<Body>(
  form: Form,
  send: (body: Body) => Promise<unknown>,
  onDone: () => void,
) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const submit = async (body: Body) => {
    setBusy(true)
    setFailure(null)
    try {
      await send(body)
      onDone()
    } catch (error) {
      setBusy(false)
      const fields = error instanceof ApiError ? error.fields : {}
      form.setErrors(fields)
      focusFirstError(form)(fields)
      if (Object.keys(fields).length === 0) {
        setFailure(serverMessageOf(error) ?? 'The server could not be reached. Please try again.')
      }
    }
  }
  return { submit, busy, failure }
}
