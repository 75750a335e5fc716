import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AccountSettings } from '#contract/account-settings.ts'
import type { PublicConfig, User } from '#contract/accounts.ts'
import { request, requestJson } from '../api.ts'
import { browserZone } from '../dates.ts'
import { drawnFor } from '../page-owner.ts'
import { pathOf, queryClient } from '../query-client.ts'
import { reportFailure } from '../ui/messages/failure.ts'
import { toast } from '../ui/messages/toast.tsx'

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

/** Asks for what each screen begins with, before it is there. Never fails: the screen says so. */
export const readAhead = () =>
  Promise.all([userQuery, configQuery].map((query) => queryClient.prefetchQuery(query)))

/** The signed-in user. When nobody is signed in, the error's message starts with 401. */
export function useUser() {
  // What was read ahead and failed is not asked again by itself.
  return useQuery<UserAnswer, Error, User>({ ...userQuery, select: userOf, retryOnMount: false })
}

/** Their settings. */
export function useAccount() {
  return useQuery<AccountSettings>({ queryKey: ['/api/account'] })
}

/** Reads again what the account is and has. */
export async function refreshAccount(): Promise<void> {
  const isOfAccount = (path: string) => path === '/api/auth/user' || path.startsWith('/api/account')
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => isOfAccount(pathOf(queryKey)),
  })
}

/** Asks for the mail that proves the address. */
export function useSendProof() {
  return useMutation({
    mutationFn: (email: string) => request('POST', '/api/auth/verify-email/send', { email }),
    onError: (error) => reportFailure(error, 'Failed to send the mail'),
  })
}

export function useRestoreAccount() {
  return useMutation({
    mutationFn: () => request('DELETE', '/api/account/deletion'),
    onSuccess: async () => {
      await refreshAccount()
      toast.success('Your account stays')
    },
    onError: (error) => reportFailure(error, 'Failed to restore your account'),
  })
}

/** Tells an account without a time zone the browser's, once. Nobody is told of a failure: the next visit tries again. */
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
