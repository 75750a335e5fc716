import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportFailure } from '../ui/messages/failure.ts'

/**
 * Asks the server for an address of the payment provider and goes there; busy until the browser has
 * left.
 * @param failure what to say if neither the server nor our own error has a message
 */
export function useExternalRedirect<Choice = void>(
  addressOf: (choice: Choice) => Promise<string>,
  failure: string,
) {
  const redirect = useMutation({
    mutationFn: addressOf,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => reportFailure(error, messageOf(error) ?? failure),
  })
  const { reset } = redirect
  useEffect(() => {
    // After Back, browsers show this page as it was left: busy.
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  const busy = redirect.isPending || redirect.isSuccess
  return { go: redirect.mutate, busy, busyWith: busy ? redirect.variables : undefined }
}

/** The message of an error of our own; that of a failed call is its status and body. */
function messageOf(error: Error): string | undefined {
  return error.name === 'Error' && error.message !== '' ? error.message : undefined
}
