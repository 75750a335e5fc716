import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AccountSettings } from '#contract/accounts/account-settings.ts'
import type { PublicConfig, User } from '#contract/accounts/accounts.ts'
import type { Workspace } from '#contract/accounts/team.ts'
import { requestJson } from '../api.ts'
import { browserZone } from '../formats.ts'
import { drawnFor } from '../page-owner.ts'
import { pathOf, queryClient } from '../query-client.ts'
import { useCall } from '../ui/call.ts'
import { isInOwn, noteRole, placeOf, rememberPlace } from '../workspace.ts'

type UserAnswer = Omit<User, 'subscriptionTier'> & Partial<User>

/** The plan is that of the page's workspace. A server that does not say it gives the free one. */
export function userOf(answer: UserAnswer): User {
  const { subscriptionTier = 'free' } = placeOf(answer) ?? answer
  return { ...answer, subscriptionTier }
}

async function readUser(): Promise<UserAnswer> {
  const answer = await requestJson<UserAnswer>('GET', '/api/auth/user')
  drawnFor(answer.id, answer.demo === 'live')
  rememberPlace(answer.id)
  await noteRole(placeOf(answer)?.role ?? 'owner')
  return answer
}

const userQuery = { queryKey: ['/api/auth/user'], queryFn: readUser }

/** The page's workspace, of a person who is in several. Its state can take away what their role gives. */
export function useWorkspace(user: User, isAllowed = true): Workspace | undefined {
  // By another key than the settings', which read it afresh each time
  const place = { queryKey: ['/api', 'workspace'], enabled: isAllowed && !isInOwn(user) }
  const { data } = useQuery<Workspace>(place)
  useEffect(() => {
    if (data) void noteRole(data.role, isOverPlan(data))
  }, [data])
  return data
}

/** Whether a workspace has more people than its plan has room for: then all but its owner only look. */
export const isOverPlan = ({ members, peopleMax }: Workspace) => members.length > peopleMax

const configQuery = { queryKey: ['/api/config'] }

/** Reads the first answers of each screen early. Never rejects: the screen shows a failure. */
export const readAhead = () =>
  Promise.all([userQuery, configQuery].map((query) => queryClient.prefetchQuery(query)))

/** The signed-in user. Without one, the error's message starts with 401. */
export function useUser() {
  // An early read that failed is not repeated by itself.
  return useQuery<UserAnswer, Error, User>({ ...userQuery, select: userOf, retryOnMount: false })
}

/** Their settings. */
export function useAccount() {
  return useQuery<AccountSettings>({ queryKey: ['/api/account'] })
}

const ofAccount = [
  '/api/auth/user',
  '/api/account',
  '/api/domains',
  '/api/webhooks',
  '/api/workspace',
]

/** Reads everything about the account again. */
export async function refreshAccount(): Promise<void> {
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => ofAccount.some((path) => pathOf(queryKey).startsWith(path)),
  })
}

export type Change<Input = void, Output = unknown> = {
  call: (input: Input) => Promise<Output>
  /** The toast of a failure that the server has no words for */
  failed: string | ((error: Error) => string)
  /** The toast of a success, if the page does not show it */
  done?: string | undefined
  /** Shows the answer at once, even if what asked for it has left the page. */
  show?: ((output: Output) => void) | undefined
}

/** A change of something of the account, which is then read again. A form shows the refusals of its fields. */
export const useChange = <Input = void, Output = unknown>(
  { call, failed, done, show }: Change<Input, Output>,
  isForm = false,
) => {
  const after = (output: Output) => {
    show?.(output)
    return refreshAccount()
  }
  return useCall(call, { done, failed, isForm, after })
}

/** Saves the browser's time zone for an account without one, once. A failure is silent: the next visit tries again. */
export function useZoneTold({ timeZone, demo }: User): void {
  const zone = timeZone === null && demo !== 'live' ? browserZone() : undefined
  useEffect(() => {
    if (zone)
      requestJson('PATCH', '/api/account', { timeZone: zone }).then(refreshAccount, () => {})
  }, [zone])
}

/** Needs no session. */
export function useConfig() {
  return useQuery<PublicConfig>(configQuery)
}
