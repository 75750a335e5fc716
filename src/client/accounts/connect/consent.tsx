import { Group, Radio, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import type { ConnectRequest } from '#contract/integrations/connected-apps.ts'
import { plans } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { NotInPlan } from '../settings/section.tsx'
import { useAllow, useDecline } from './connect-calls.ts'

type Props = { uid: string; user: User; asked: ConnectRequest }

/** Asks whether an app may work with the account, and how far. */
export function Consent({ uid, user, asked }: Props) {
  const [scope, setScope] = useState<KeyScope>('read')
  const allow = useAllow(uid)
  const decline = useDecline(uid)
  const name = nameOf(asked)
  if (allow.isSuccess) return <Answered title="App connected" name={name} />
  if (decline.isSuccess) return <Answered title="App not connected" name={name} />
  const { hasApi } = plans[user.subscriptionTier]
  return (
    <Stack>
      <Title order={1} size="h2">
        Connect <bdi>{name}</bdi>?
      </Title>
      <Facts asked={asked} user={user} />
      {hasApi ? (
        <>
          <Scopes scopes={asked.scopes} value={scope} onChange={setScope} />
          <Text size="sm">
            Only allow this if you started it yourself just now. You can disconnect the app in your
            settings anytime.
          </Text>
        </>
      ) : (
        <NotInPlan>
          Connected apps are part of the Unlimited plan. Upgrade, then connect this app.
        </NotInPlan>
      )}
      <Group>
        {hasApi && (
          <BusyButton
            busy={allow.isPending}
            busyText="Connecting..."
            onClick={() => allow.mutate(scope)}
          >
            Allow
          </BusyButton>
        )}
        <BusyButton
          variant="default"
          busy={decline.isPending}
          busyText="Canceling..."
          onClick={() => decline.mutate()}
        >
          Cancel
        </BusyButton>
      </Group>
    </Stack>
  )
}

/** An app without a name has that of the place that it comes from. */
const nameOf = ({ name, site, sendsTo }: ConnectRequest) => name || site || placeText(sendsTo)

function Facts({ asked, user }: Omit<Props, 'uid'>) {
  return (
    <Text component="div">
      This app{asked.site && <> from {<b>{asked.site}</b>}</>} wants to work with the QR codes of{' '}
      <b>{user.email}</b>. We’ll send the answer to <b>{placeText(asked.sendsTo)}</b>.
      {!asked.site && ' We haven’t checked the app’s name.'}
    </Text>
  )
}

/** Where an answer goes, in words. */
function placeText(sendsTo: string): string {
  const url = URL.parse(sendsTo)
  if (url?.protocol === 'https:') return url.host
  if (url?.protocol === 'http:') return `a program on this computer (${url.host})`
  return `a program on this device (${sendsTo})`
}

type ScopesProps = {
  scopes: KeyScope[]
  value: KeyScope
  onChange: (scope: KeyScope) => void
}

const scopeText = {
  read: 'Read: see QR codes, their pictures, and their scans',
  write: 'Read and write: also create, change, and delete QR codes',
}

function Scopes({ scopes, value, onChange }: ScopesProps) {
  return (
    <Radio.Group
      label="The app can"
      value={value}
      onChange={(scope) => onChange(scope as KeyScope)}
    >
      <Stack gap="xs" mt={4}>
        {scopes.map((scope) => (
          <Radio key={scope} value={scope} label={scopeText[scope]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}

/** The browser has gone on to the app; from a program on the device it does not come back. */
function Answered({ title, name }: { title: string; name: string }) {
  return (
    <Stack gap="xs" role="status">
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text>
        Go back to <bdi>{name}</bdi>. You can close this page.
      </Text>
    </Stack>
  )
}
