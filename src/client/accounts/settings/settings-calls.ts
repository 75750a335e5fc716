import { useQuery } from '@tanstack/react-query'
import type {
  AccountChange,
  AccountSettings,
  HistoryEntry,
  SessionEntry,
} from '#contract/account-settings.ts'
import type { ApiKeyEntry } from '#contract/integrations/api-keys.ts'
import type { ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { request, requestJson } from '../../api.ts'
import { withProof } from './proof.tsx'

/** Lists that other browsers change too are read each time they are opened. */
const useList = <Entry>(name: string) =>
  useQuery<Entry[]>({ queryKey: [`/api/account/${name}`], gcTime: 0 })

export const useSessions = () => useList<SessionEntry>('sessions')
export const useKeys = () => useList<ApiKeyEntry>('keys')
export const useApps = () => useList<ConnectedApp>('apps')
export const useHistory = () => useList<HistoryEntry>('history')

/** Calls that need the password again after a while. */
export const proved = (path: string, body: object = {}) =>
  withProof((password) => request('POST', `/api/account/${path}`, { ...body, password }))

export async function provedJson<Answer>(path: string, body?: object): Promise<Answer> {
  return (await proved(path, body)).json()
}

export const remove = (path: string) => request('DELETE', `/api/account/${path}`)

export const saveAccount = (body: AccountChange) =>
  requestJson<AccountSettings>('PATCH', '/api/account', body)
