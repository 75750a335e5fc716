import { useQuery } from '@tanstack/react-query'
import type { PublicConfig, SignIn, SignUp, User } from '#contract/accounts.ts'
import { requestJson } from '../api.ts'

/** The signed-in user; an error whose message starts with 401 where nobody is. */
export function useUser() {
  return useQuery<User>({ queryKey: ['/api/auth/user'] })
}

/** What a page needs to know about this server. Needs no session. */
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
