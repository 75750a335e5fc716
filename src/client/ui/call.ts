import { useMutation } from '@tanstack/react-query'
import { fieldErrors } from './field-errors.ts'
import { reportFailure } from './messages/failure.ts'
import { toast } from './messages/toast.tsx'

type Options<Input, Output> = {
  /** The toast of a success, if the page does not show it */
  done?: string | ((output: Output, input: Input) => string)
  /** The toast of a failure that the server has no words for; without it the caller shows failures */
  failed?: string | ((error: Error) => string)
  /** A form shows the refusals of its fields. */
  isForm?: boolean
  /** Runs after a success, even if the component has left the page. The call is pending until it settles. */
  after?: (output: Output, input: Input) => unknown
  /** Runs after a failure that is reported. */
  afterFailure?: (error: Error) => void
}

/** A user has withdrawn a call: nothing was done, and there is nothing to report. */
export class Withdrawn extends Error {
  override name = 'Withdrawn'
}

/** A call that changes something, with its toasts. */
export function useCall<Input = void, Output = unknown>(
  call: (input: Input) => Promise<Output>,
  { done, failed, isForm = false, after, afterFailure }: Options<Input, Output>,
) {
  return useMutation({
    mutationFn: call,
    onSuccess: (output, input) => {
      if (done) toast.success(typeof done === 'string' ? done : done(output, input))
      return after?.(output, input)
    },
    onError: (error) => {
      if (!failed || error instanceof Withdrawn) return
      if (isForm && Object.keys(fieldErrors(error)).length > 0) return
      reportFailure(error, typeof failed === 'string' ? failed : failed(error))
      afterFailure?.(error)
    },
  })
}
