import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SandboxAct, SandboxAnswer, SandboxPage } from '#contract/billing/sandbox.ts'
import { isRefusal, isUnauthorized, requestJson, serverMessageOf } from '../../api.ts'
import { goToSignIn } from '../../ui/messages/sign-in-again.ts'
import { keepWorkspace } from '../../workspace.ts'

/** A page's calls are below its own address. */
const pathBelow = (path: string) => `${path}/page`

export function useSandboxPage(path: string) {
  const page = useQuery<SandboxPage>({ queryKey: [pathBelow(path)] })
  useSignIn(page.error)
  return page
}

/** A person acts on the page. The answer has its next contents, or the address to which the browser goes. */
export function useAct(path: string) {
  const client = useQueryClient()
  const queryKey = [pathBelow(path)]
  const call = useMutation({
    mutationFn: (act: SandboxAct) => requestJson<SandboxAnswer>('POST', pathBelow(path), act),
    onSuccess: (answer) => {
      if (answer.kind === 'done') window.location.assign(keepWorkspace(answer.returnTo))
      else client.setQueryData(queryKey, answer)
    },
    onError: (error) => {
      // Loaded again, the page says that it is over.
      if (isRefusal(error, 'checkout_not_found')) client.invalidateQueries({ queryKey })
    },
  })
  const { mutate: act, error, variables: acted } = call
  useSignIn(error)
  return {
    act,
    acted,
    error,
    // Busy until the next page is there, so that a second press does nothing.
    busy: call.isPending || call.data?.kind === 'done',
    failure: error && (serverMessageOf(error) ?? 'We couldn’t reach the server. Please try again.'),
  }
}

/** Sends a signed-out visitor to the sign-in page, and back here. */
function useSignIn(error: unknown): void {
  const isSignedOut = isUnauthorized(error)
  useEffect(() => {
    if (isSignedOut) goToSignIn()
  }, [isSignedOut])
}
