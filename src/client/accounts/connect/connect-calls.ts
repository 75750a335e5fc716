import { useQuery } from '@tanstack/react-query'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { ConnectDone, ConnectRequest } from '#contract/integrations/connected-apps.ts'
import { requestJson } from '../../api.ts'
import { useCall } from '../../ui/call.ts'
import { withProof } from '../settings/proof.tsx'

/** The app that sent the browser here. */
export const useConnectRequest = (uid: string, { enabled }: { enabled: boolean }) =>
  useQuery<ConnectRequest>({
    queryKey: [`/api/connect/${encodeURIComponent(uid)}/request`],
    enabled,
  })

const answer = (uid: string, path: string, body: object = {}) =>
  requestJson<ConnectDone>('POST', `/api/connect/${encodeURIComponent(uid)}/${path}`, body)

/** Goes back to the app. Where that is a program on the device, this page stays. */
const leave = ({ url }: ConnectDone) => window.location.assign(url)

export const useAllow = (uid: string) =>
  useCall<KeyScope, ConnectDone>(
    (scope) => withProof((password) => answer(uid, 'allow', { scope, password })),
    { failed: 'Failed to connect the app', after: leave },
  )

export const useDecline = (uid: string) =>
  useCall(() => answer(uid, 'cancel'), { failed: 'Failed to cancel', after: leave })
