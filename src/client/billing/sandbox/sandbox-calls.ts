import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SandboxDone, SandboxPage, TestCard, TestClockStep } from '#contract/sandbox.ts'
import { isRefusal, isUnauthorized, requestJson, serverMessageOf } from '../../api.ts'

/** A page's calls are below its own address. */
const keyOf = (path: string) => [`${path}/page`]

export function useSandboxPage(path: string) {
  const page = useQuery<SandboxPage>({ queryKey: keyOf(path) })
  useSignIn(page.error)
  return page
}

/** A call that ends the page: the browser goes on to the address in its answer. */
export function useFinish(path: string) {
  const finish = useCall<SandboxDone, { action: 'pay' | 'confirm'; card?: TestCard }>(
    path,
    ({ action, card }) => requestJson('POST', `${path}/${action}`, card && { card }),
    ({ returnTo }) => window.location.assign(returnTo),
  )
  // Busy until the next page is there, so that a second press does nothing.
  return { ...finish, busy: finish.isPending || finish.isSuccess }
}

export type PortalCall =
  | { action: 'cancel' | 'resume' }
  | { action: 'card'; body: { card: TestCard } }
  | { action: 'advance'; body: { step: TestClockStep } }

/** A call that answers what the page shows next. */
export function usePortalCall(path: string) {
  const client = useQueryClient()
  const call = useCall<SandboxPage, PortalCall>(
    path,
    (asked) => requestJson('POST', `${path}/${asked.action}`, 'body' in asked ? asked.body : {}),
    (page) => client.setQueryData(keyOf(path), page),
  )
  return { ...call, busyWith: call.isPending ? call.variables : null }
}

function useCall<Answer, Asked>(
  path: string,
  mutationFn: (asked: Asked) => Promise<Answer>,
  onSuccess: (answer: Answer) => void,
) {
  const client = useQueryClient()
  const call = useMutation({
    mutationFn,
    onSuccess,
    onError: (error) => {
      // Loaded again, the page says that it is over.
      if (isRefusal(error, 'checkout_not_found'))
        client.invalidateQueries({ queryKey: keyOf(path) })
    },
  })
  useSignIn(call.error)
  return { ...call, failure: call.error && failureOf(call.error) }
}

function failureOf(error: unknown): string {
  return serverMessageOf(error) ?? 'We couldn’t reach the server. Please try again.'
}

/** Sends a signed-out visitor to the sign-in page, and back here. */
function useSignIn(error: unknown): void {
  const isSignedOut = isUnauthorized(error)
  useEffect(() => {
    if (!isSignedOut) return
    const here = encodeURIComponent(window.location.pathname)
    window.location.assign(`/api/login?returnTo=${here}`)
  }, [isSignedOut])
}
