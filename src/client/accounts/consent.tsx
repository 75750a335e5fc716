import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { User, WorkspaceEntry } from '#contract/accounts/accounts.ts'
import { mayCall } from '#contract/accounts/roles.ts'
import { plans } from '#contract/billing/plans.ts'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { ConnectAnswer, ConnectRequest } from '#contract/integrations/connected-apps.ts'
import { requestJson } from '../api.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { useCall } from '../ui/call.ts'
import { addressIn, placeOf } from '../workspace.ts'
import { NotInPlan } from './settings/list-section.tsx'
import { withProof } from './settings/proof.tsx'
import { ScopeChoice } from './settings/scope-choice.tsx'

type Props = { uid: string; user: User; asked: ConnectRequest }

/** Asks whether an app may work with the account, and how far. */
export function Consent({ uid, user, asked }: Props) {
  const [scope, setScope] = useState<KeyScope>(asked.scopes.at(-1) ?? 'read')
  const answer = useConnectAnswer(uid)
  const name = asked.name || 'An app without a name'
  if (answer.isSuccess) return <Text role="status">You can go back to {name} now.</Text>
  const { hasApi } = plans[user.subscriptionTier]
  const place = placeOf(user)
  const busy = answer.isPending
  return (
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>
        <b>
          <bdi>{name}</bdi>
        </b>
        {asked.site && ` from ${asked.site}`} wants to work with the QR codes of{' '}
        <b>{place && !place.isOwn ? place.name : user.email}</b>. We’ll send your answer to{' '}
        <b>{placeText(asked.sendsTo)}</b>.
      </Text>
      {user.workspaces && <PlaceChoice workspaces={user.workspaces} place={place} />}
      {hasApi ? (
        <ScopeChoice
          things="QR codes, tags, designs, and domains"
          label="The app can"
          scopes={asked.scopes}
          value={scope}
          onChange={setScope}
        />
      ) : (
        <NotInPlan>Connected apps are part of the Unlimited plan.</NotInPlan>
      )}
      <Text size="sm">
        Only allow this if you started it yourself just now. You can disconnect the app in your
        settings anytime.
      </Text>
      <Group>
        {hasApi && (
          <BusyButton busy={busy} busyText="Allow" onClick={() => answer.mutate(scope)}>
            Allow
          </BusyButton>
        )}
        <BusyButton
          variant="default"
          busy={busy}
          busyText="Cancel"
          onClick={() => answer.mutate(null)}
        >
          Cancel
        </BusyButton>
      </Group>
    </Stack>
  )
}

type PlaceProps = { workspaces: WorkspaceEntry[]; place: WorkspaceEntry | undefined }

/** An app works in one workspace. Another one is another page. */
function PlaceChoice({ workspaces, place }: PlaceProps) {
  const request = `/connect?request=${new URLSearchParams(window.location.search).get('request')}`
  const offered = workspaces.filter(({ role }) => mayCall(role, 'POST /api/connect/:uid'))
  return (
    <NativeSelect
      label="Workspace"
      value={place && addressIn(place, request)}
      onChange={(event) => window.location.assign(event.currentTarget.value)}
      data={offered.map((one) => ({ value: addressIn(one, request), label: one.name }))}
    />
  )
}

/** Where an answer goes, in words. */
function placeText(sendsTo: string): string {
  const url = new URL(sendsTo)
  if (url.protocol === 'https:') return url.host
  return `a program on this computer (${url.protocol === 'http:' ? url.host : sendsTo})`
}

const pathOf = (uid: string) => `/api/connect/${encodeURIComponent(uid)}`

/** The app that sent the browser here. */
export const useConnectRequest = (uid: string) =>
  useQuery<ConnectRequest>({ queryKey: [`${pathOf(uid)}/request`] })

/** Sends the answer, and goes back to the app. If that is a program on the device, this page stays. */
const useConnectAnswer = (uid: string) =>
  useCall(
    (scope: KeyScope | null) =>
      withProof((password) => {
        const answer: ConnectAnswer = { scope, password }
        return requestJson<{ url: string }>('POST', pathOf(uid), answer)
      }),
    { failed: 'Failed to answer the app', after: ({ url }) => window.location.assign(url) },
  )
