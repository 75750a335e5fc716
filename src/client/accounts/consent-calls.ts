import { useQuery } from '@tanstack/react-query'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { ConnectAnswer, ConnectRequest } from '#contract/integrations/connected-apps.ts'
import { requestJson } from '../api.ts'
import { useCall } from '../ui/call.ts'
import { withProof } from './settings/proof.tsx'

const pathOf = (uid: string) => `/api/connect/${encodeURIComponent(uid)}`

/** The app that sent the browser here. */
export const useConnectRequest = (uid: string) =>
  useQuery<ConnectRequest>({ queryKey: [`${pathOf(uid)}/request`] })

/** Sends the answer, and goes back to the app. If that is a program on the device, this page stays. */
export const useConnectAnswer = (uid: string) =>
  useCall(
    (scope: KeyScope | null) =>
      withProof((password) => {
        const answer: ConnectAnswer = { scope, password }
        return requestJson<{ url: string }>('POST', pathOf(uid), answer)
      }),
    { failed: 'Failed to answer the app', after: ({ url }) => window.location.assign(url) },
  )
