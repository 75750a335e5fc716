import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { reportFailure } from '../../ui/failure.ts'

/**
 * Asks for an address and leaves for it; busy until the browser has gone.
 * @param failure what to say where neither the server nor we have words
 */
export function useDeparture<Choice = void>(
  addressOf: (choice: Choice) => Promise<string>,
  failure: string,
) {
  const departure = useMutation({
    mutationFn: addressOf,
    onSuccess: (url) => window.location.assign(url),
    onError: (error) => reportFailure(error, messageOf(error) ?? failure),
  })
  const { reset } = departure
  useEffect(() => {
    // Coming back from the other page, browsers show this one as it was left: busy.
    const comeBack = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', comeBack)
    return () => window.removeEventListener('pageshow', comeBack)
  }, [reset])
  const isLeaving = departure.isPending || departure.isSuccess
  return {
    mutate: departure.mutate,
    isLeaving,
    leavingFor: isLeaving ? departure.variables : undefined,
  }
}

/** The message of an error of our own; a failed call's is its status and body, for nobody to read. */
function messageOf(error: Error): string | undefined {
  return error.name === 'Error' && error.message !== '' ? error.message : undefined
}
