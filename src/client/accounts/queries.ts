import { useQuery } from '@tanstack/react-query'
import type { PublicConfig, SignIn, SignUp, User } from '#contract/accounts.ts'
import { requestJson } from '../api.ts'

type UserAnswer = Omit<User, 'subscriptionTier'> & Partial<User>

/** A server that does not say a user's plan gives them the free one. */
export function userOf(answer: UserAnswer): User {
  return { ...answer, subscriptionTier: answer.subscriptionTier ?? 'free' }
}

/** The signed-in user. When nobody is signed in, the error's message starts with 401. */
export function useUser() {
  return useQuery<UserAnswer, Error, User>({ queryKey: ['/api/auth/user'], select: userOf })
}

/** Needs no session. */
export function useConfig() {
  return useQuery<PublicConfig>({ queryKey: ['/api/config'] })
}

export function readConfig(): Promise<PublicConfig> {
  return requestJson('GET', '/api/config')
}

export function signIn(body: SignIn): Promise<unknown> {
  return requestJson('POST', '/api/auth/sign-in/email', body)
}

export function signUp(body: SignUp): Promise<unknown> {
  return requestJson('POST', '/api/auth/sign-up/email', body)
}
