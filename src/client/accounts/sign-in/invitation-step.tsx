import { Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { joinAsNew, type ShownInvitation } from '#contract/team.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { keepWorkspace } from '../../workspace.ts'
import { roleWords } from '../role-words.ts'
import { isOver } from './link-forms.tsx'
import { LinkOver } from './link-step.tsx'
import { forgetInvitation, hasCome, invitationToken, keepInvitation } from './mailed-token.ts'
import { acceptInvitation, joinByInvitation, lookAtInvitation, signOut } from './sign-in-calls.ts'
import { Field, PasswordField, StepForm, StepHead, type StepProps } from './step-parts.tsx'
import { useSending } from './submission.ts'

/** What an invitation is for, and the way into its workspace. */
export function InvitationStep({ typed }: StepProps) {
  const [token] = useState(invitationToken)
  const [shown, setShown] = useState<ShownInvitation>()
  const [isGone, setGone] = useState(token === '')
  const onOver = () => setGone(true)
  const looking = useSending(
    async () => setShown(await lookAtInvitation({ token })),
    (error) => isOver(error, onOver),
  )
  const look = useEffectEvent(() => void looking.send())
  useEffect(() => {
    if (token !== '') look()
  }, [token])
  if (isGone) return <LinkOver kind="invitation" isLost={token === ''} typed={typed} />
  if (shown?.next === 'sign-up') return <NewPerson shown={shown} token={token} onOver={onOver} />
  if (shown) {
    const ways = {
      join: async () => enter(shown, await acceptInvitation({ token })),
      'log-in': async () => {
        keepInvitation(token)
        typed.email = shown.email
        navigate(`/api/login?returnTo=${encodeURIComponent('/api/login?link=invitation')}`)
      },
      'other-account': async () => {
        await signOut()
        await looking.send()
      },
    }
    const { next } = shown
    return <Way key={next} shown={shown} next={next} go={ways[next]} onOver={onOver} />
  }
  return looking.failure ? (
    <FailureAlert message={looking.failure} />
  ) : (
    <Spinner label="Loading the invitation" />
  )
}

/** Into the workspace. A new owner chooses how they pay for it. */
function enter({ role }: ShownInvitation, { workspaceId }: { workspaceId: string }): void {
  forgetInvitation()
  const page = role === 'owner' ? '/subscription' : '/dashboard'
  window.location.assign(keepWorkspace(page, workspaceId))
}

function Head({ shown, children }: { shown: ShownInvitation; children?: ReactNode }) {
  const { workspace, by, role, endsAt, next } = shown
  const isHandOver = role === 'owner'
  return (
    <StepHead
      title={isHandOver ? `Take over ${workspace}?` : `Join ${workspace}?`}
      hasFocus={next !== 'sign-up'}
    >
      <b>
        <bdi>{by}</bdi>
      </b>{' '}
      {isHandOver
        ? 'hands this workspace over to you. You decide about its members, and pay for its plan with your own card.'
        : 'invites you to work on the QR codes of this workspace with your own login.'}
      {!isHandOver && (
        <Text mt="xs">
          You join as <b>{roleWords[role].label}</b>.
        </Text>
      )}
      <Quiet>{roleWords[role].description}</Quiet>
      <Quiet mt="xs">The invitation is open until {formatDay(endsAt)}.</Quiet>
      {children}
    </StepHead>
  )
}

type WayProps = {
  shown: ShownInvitation
  next: keyof typeof buttons
  go: () => Promise<void>
  onOver: () => void
}

const buttons = { join: 'Join', 'log-in': 'Log in and join', 'other-account': 'Log out' }

/** The next step of someone who has an account. */
function Way({ shown, next, go, onOver }: WayProps) {
  const { send, busy, failure } = useSending(go, (error) => isOver(error, onOver))
  const goOn = useEffectEvent(() => void send())
  useEffect(() => {
    // They have pressed "Log in and join".
    if (next === 'join' && !hasCome()) goOn()
  }, [next])
  return (
    <Stack>
      <Head shown={shown}>
        {next === 'other-account' && (
          <Text mt="xs">
            It’s for <b>{shown.email}</b>, and you’re logged in with another address.
          </Text>
        )}
      </Head>
      <FailureAlert message={failure} />
      <BusyButton busy={busy} onClick={send} fullWidth>
        {next === 'join' && shown.role === 'owner' ? 'Take over' : buttons[next]}
      </BusyButton>
    </Stack>
  )
}

type NewProps = { shown: ShownInvitation; token: string; onOver: () => void }

/** Makes the account of the address that is invited. */
function NewPerson({ shown, token, onOver }: NewProps) {
  return (
    <StepForm
      head={
        <Head shown={shown}>
          <Text mt="xs">
            Create your account for <b>{shown.email}</b>.
          </Text>
        </Head>
      }
      schema={joinAsNew.omit({ token: true })}
      initialValues={{ name: '', password: '' }}
      send={(body) => joinByInvitation({ token, ...body })}
      onDone={(joined) => enter(shown, joined)}
      onRefused={(error) => isOver(error, onOver)}
      button="Create account and join"
    >
      <Field ref={firstFocus} label="Name" name="name" autoComplete="name" />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        placeholder="At least 8 characters"
      />
    </StepForm>
  )
}
