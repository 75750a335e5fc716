import { useQuery } from '@tanstack/react-query'
import type { AccountChange, AccountSettings } from '#contract/accounts/account-settings.ts'
import { request, requestJson } from '../../api.ts'
import { withProof } from './proof.tsx'

/** An answer that other browsers, or the server, change too: it is read each time it is shown. */
export const useFresh = <Answer>(path: string) => useQuery<Answer>({ queryKey: [path], gcTime: 0 })

/** Calls that need the password again after a while. */
export const proved = (path: string, body: object = {}) =>
  withProof((password) => request('POST', `/api/account/${path}`, { ...body, password }))

export async function provedJson<Answer>(path: string, body?: object): Promise<Answer> {
  return (await proved(path, body)).json()
}

export const remove = (path: string) => request('DELETE', `/api/account/${path}`)

export const saveAccount = (body: AccountChange) =>
  requestJson<AccountSettings>('PATCH', '/api/account', body)
