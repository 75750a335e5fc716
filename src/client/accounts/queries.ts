import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AccountSettings } from '#contract/account-settings.ts'
import type { PublicConfig, User } from '#contract/accounts.ts'
import { request, requestJson } from '../api.ts'
import { browserZone } from '../formats.ts'
import { drawnFor } from '../page-owner.ts'
import { pathOf, queryClient } from '../query-client.ts'
import { useCall } from '../ui/call.ts'

type UserAnswer = Omit<User, 'subscriptionTier'> & Partial<User>

/** A server that does not say a user's plan gives them the free one. */
export function userOf(answer: UserAnswer): User {
  return { ...answer, subscriptionTier: answer.subscriptionTier ?? 'free' }
}

async function readUser(): Promise<UserAnswer> {
  const answer = await requestJson<UserAnswer>('GET', '/api/auth/user')
  drawnFor(answer.id, answer.demo === 'live')
  return answer
}

const userQuery = { queryKey: ['/api/auth/user'], queryFn: readUser }

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

/** Reads everything about the account again. */
export async function refreshAccount(): Promise<void> {
  const isOfAccount = (path: string) => path === '/api/auth/user' || path.startsWith('/api/account')
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isOfAccount(pathOf(queryKey)),
  })
}

/** Asks for a mail whose link confirms the address. */
export const useSendProof = () =>
  useCall((email: string) => request('POST', '/api/auth/verify-email/send', { email }), {
    failed: 'Failed to send the email',
  })

export const useRestoreAccount = () =>
  useCall(() => request('DELETE', '/api/account/deletion'), {
    done: 'Account restored',
    failed: 'Failed to restore your account',
    after: refreshAccount,
  })

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
