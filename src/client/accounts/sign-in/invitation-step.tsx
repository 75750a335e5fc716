import { Button, Stack, Text } from '@mantine/core'
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
import { forgetInvitation, hasCome, invitationToken, keepInvitation } from './mailed-token.ts'
import { acceptInvitation, joinByInvitation, lookAtInvitation, signOut } from './sign-in-calls.ts'
import { Field, PasswordField, StepForm, StepHead, type StepProps } from './step-parts.tsx'
import { useSending } from './submission.ts'

/** What an invitation is for, and the way into its workspace. */
export function InvitationStep({ typed }: StepProps) {
  const token = invitationToken()
  const [shown, setShown] = useState<ShownInvitation>()
  const [over, setOver] = useState(!token)
  const onOver = () => {
    forgetInvitation()
    setOver(true)
  }
  const looking = useSending(
    async () => setShown(await lookAtInvitation({ token })),
    (error) => isOver(error, onOver),
  )
  const look = useEffectEvent(() => void looking.send())
  useEffect(() => {
    if (token) look()
  }, [token])
  if (over) return <InvitationOver isLost={!token} />
  if (looking.failure) {
    return (
      <Stack>
        <StepHead title="Invitation" hasFocus />
        <FailureAlert message={looking.failure} />
      </Stack>
    )
  }
  if (!shown) return <Spinner label="Loading the invitation" />
  const { next, email } = shown
  const about = { shown, token, onOver }
  if (next === 'join') return <Join {...about} />
  if (next === 'sign-up') return <JoinAsNew {...about} />
  const logIn = () => {
    keepInvitation(token)
    typed.email = email
    navigate(`/api/login?returnTo=${encodeURIComponent('/api/login?link=invitation')}`)
  }
  return next === 'log-in' ? (
    <Stack>
      <Head shown={shown} hasFocus />
      <Button onClick={logIn} fullWidth>
        Log in and join
      </Button>
    </Stack>
  ) : (
    <OtherAccount shown={shown} onSignedOut={look} />
  )
}

type HeadProps = { shown: ShownInvitation; hasFocus?: boolean; children?: ReactNode }

function Head({ shown, hasFocus = false, children }: HeadProps) {
  const { workspace, by, role, endsAt } = shown
  const isHandOver = role === 'owner'
  return (
    <StepHead
      title={isHandOver ? `Take over ${workspace}?` : `Join ${workspace}?`}
      hasFocus={hasFocus}
    >
      <b>
        <bdi>{by}</bdi>
      </b>{' '}
      {isHandOver ? (
        <>hands this workspace over to you. You decide about its members and pay for its plan.</>
      ) : (
        <>
          invites you to work on the QR codes of <b>{workspace}</b>.
        </>
      )}
      {!isHandOver && (
        <Text mt="xs">
          Your role: <b>{roleWords[role].label}</b>. {roleWords[role].description}
        </Text>
      )}
      <Quiet mt="xs">Open until {formatDay(endsAt)}.</Quiet>
      {children}
    </StepHead>
  )
}

type Props = { shown: ShownInvitation; token: string; onOver: () => void }

/** Into the workspace. A new owner chooses how they pay for it. */
function enter({ role }: ShownInvitation, workspaceId: string): void {
  forgetInvitation()
  const page = role === 'owner' ? '/subscription' : '/dashboard'
  window.location.assign(keepWorkspace(page, workspaceId))
}

function Join({ shown, token, onOver }: Props) {
  const { send, busy, failure } = useSending(
    async () => enter(shown, (await acceptInvitation({ token })).workspaceId),
    (error) => isOver(error, onOver),
  )
  const goOn = useEffectEvent(() => void send())
  useEffect(() => {
    // They have pressed "Log in and join".
    if (!hasCome()) goOn()
  }, [])
  return (
    <Stack>
      <Head shown={shown} hasFocus />
      <FailureAlert message={failure} />
      <BusyButton busy={busy} onClick={send} fullWidth>
        {shown.role === 'owner' ? 'Take over' : 'Join'}
      </BusyButton>
    </Stack>
  )
}

const fields = joinAsNew.omit({ token: true })

/** Makes the account of the address that is invited. */
function JoinAsNew({ shown, token, onOver }: Props) {
  return (
    <StepForm
      head={
        <Head shown={shown}>
          <Text mt="xs">
            Create your account for <b>{shown.email}</b>.
          </Text>
        </Head>
      }
      schema={fields}
      initialValues={{ name: '', password: '' }}
      send={(body) => joinByInvitation({ token, ...body })}
      onDone={({ workspaceId }) => enter(shown, workspaceId)}
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

type OtherProps = { shown: ShownInvitation; onSignedOut: () => void }

function OtherAccount({ shown, onSignedOut }: OtherProps) {
  const { send, busy, failure } = useSending(async () => {
    await signOut()
    onSignedOut()
  })
  return (
    <Stack>
      <Head shown={shown} hasFocus>
        <Text mt="xs">
          It’s for <b>{shown.email}</b>, and you’re logged in with another address.
        </Text>
      </Head>
      <FailureAlert message={failure} />
      <BusyButton busy={busy} onClick={send} fullWidth>
        Log out
      </BusyButton>
      <Button component="a" href="/dashboard" variant="default" fullWidth>
        Go to your dashboard
      </Button>
    </Stack>
  )
}

function InvitationOver({ isLost }: { isLost: boolean }) {
  return (
    <Stack>
      <StepHead title={isLost ? 'Open the link again' : 'This invitation no longer works'} hasFocus>
        {isLost
          ? 'This page no longer has the link. Open it from your email again.'
          : 'It was already used, withdrawn, or it’s too old. Ask the person who invited you for a new one.'}
      </StepHead>
      <Button component="a" href="/api/login" fullWidth>
        Continue
      </Button>
    </Stack>
  )
}
