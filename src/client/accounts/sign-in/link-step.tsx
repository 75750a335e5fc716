import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSearch } from 'wouter'
import type { LinkKind, SignInAnswer } from '#contract/accounts/accounts.ts'
import { errorTable } from '#contract/errors.ts'
import { isRefusal } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { AskForMail } from './forgot-step.tsx'
import { before, isOver, ProofForm, ResetForm } from './link-forms.tsx'
import { mailedToken } from './mailed-token.ts'
import { followLink, type LinkCall, signInByLink } from './sign-in-calls.ts'
import { BackToSignIn, StepHead, type StepProps } from './step-parts.tsx'
import { linkKindOf } from './steps.ts'
import { useSending } from './submission.ts'

/** Follows a mailed link when a button is pressed: programs that only look at links change nothing. */
export function LinkStep(props: StepProps) {
  const kind = linkKindOf(useSearch())
  const token = mailedToken()
  const [isOver, setOver] = useState(false)
  if (!kind) return null
  if (!token || isOver) return <LinkOver kind={kind} isLost={!token} typed={props.typed} />
  const shared = { token, onOver: () => setOver(true) }
  if (kind === 'reset-password') return <ResetForm {...shared} />
  if (kind === 'sign-in') {
    const follow = async () => props.onAnswer(await signInByLink({ token }))
    return <Press {...before[kind]} {...shared} follow={follow} />
  }
  return <Following key={kind} kind={kind} {...shared} onAnswer={props.onAnswer} />
}

type FollowingProps = Pick<StepProps, 'onAnswer'> & {
  kind: 'verify-email' | 'approve-email' | 'prove-email'
  token: string
  onOver: () => void
}

function Following({ kind, token, onOver, onAnswer }: FollowingProps) {
  const [done, setDone] = useState<LinkCall>()
  const [needed, setNeeded] = useState<'password' | 'sign-in'>()
  const follow = async (call: LinkCall) => {
    try {
      await followLink(call, { token })
      setDone(call)
    } catch (error) {
      if (isRefusal(error, 'password_needed')) setNeeded('password')
      else if (isRefusal(error, 'sign_in_first')) setNeeded('sign-in')
      else throw error
    }
  }
  if (needed === 'sign-in') return <End {...signInFirst} />
  if (needed && !done && kind !== 'approve-email') {
    const onProved = (answer: SignInAnswer | undefined) =>
      answer && 'next' in answer ? onAnswer(answer) : setDone(kind)
    return <ProofForm kind={kind} token={token} onOver={onOver} onProved={onProved} />
  }
  if (!done) {
    const undo = kind === 'approve-email' ? () => follow('undo-email') : undefined
    return <Press {...before[kind]} onOver={onOver} follow={() => follow(kind)} undo={undo} />
  }
  return <End {...after[done]} button="Continue" />
}

const AFTER_BOTH =
  'Your account gets the new address once both emailed links are confirmed. From then on, log in with it.'

/** The texts after a button was pressed. */
const after: Record<LinkCall, { title: string; text: string }> = {
  'verify-email': {
    title: 'Your address is confirmed',
    text: 'If you ever forget your password, an email to this address gets you back in.',
  },
  'approve-email': { title: 'You approved the change', text: AFTER_BOTH },
  'prove-email': { title: 'Your new address is confirmed', text: AFTER_BOTH },
  'undo-email': {
    title: 'The change is canceled',
    text: 'Your account keeps its address. If you didn’t ask for another one, change your password now: someone else may have been in your account.',
  },
}

/** For an account without a password that this page could ask for. */
const signInFirst = {
  title: 'Log in first',
  text: errorTable.sign_in_first.message,
  button: 'Log in',
}

/** The server knows who is signed in: the button leads to the dashboard, or to sign in. */
function End({ title, text, button }: Record<'title' | 'text' | 'button', string>) {
  return (
    <Stack>
      <StepHead title={title} hasFocus>
        {text}
      </StepHead>
      <Button component="a" href="/api/login" fullWidth>
        {button}
      </Button>
    </Stack>
  )
}

type PressProps = {
  title: string
  text: ReactNode
  button: string
  onOver: () => void
  follow: () => Promise<void>
  undo?: (() => Promise<void>) | undefined
}

/** Says what a link does, and does it when the button is pressed. */
export function Press({ title, text, button, onOver, follow, undo }: PressProps) {
  const [pressed, setPressed] = useState<'follow' | 'undo'>()
  const { send, busy, failure } = useSending(
    (act: () => Promise<void>) => act(),
    (error) => isOver(error, onOver),
  )
  const press = (which: 'follow' | 'undo', act: () => Promise<void>) => {
    setPressed(which)
    void send(act)
  }
  return (
    <Stack>
      <StepHead title={title} hasFocus>
        {text}
      </StepHead>
      <FailureAlert message={failure} />
      <BusyButton
        busy={busy && pressed === 'follow'}
        onClick={() => press('follow', follow)}
        fullWidth
      >
        {button}
      </BusyButton>
      {undo && (
        <BusyButton
          variant="default"
          busy={busy && pressed === 'undo'}
          onClick={() => press('undo', undo)}
          fullWidth
        >
          Cancel change
        </BusyButton>
      )}
    </Stack>
  )
}

type OverProps = { kind: LinkKind | 'invitation'; isLost: boolean; typed: { email: string } }

/** The link is used, too old, or was cut off; and how to get a new one. */
export function LinkOver({ kind, isLost, typed }: OverProps) {
  return (
    <Stack>
      <StepHead title={isLost ? 'Open the link again' : 'This link no longer works'} hasFocus>
        {isLost
          ? 'This page no longer has the link. Open it from your email again.'
          : 'It was already used, or it’s too old. Each link works once.'}
      </StepHead>
      {kind === 'invitation' ? (
        <Text>
          If you’ve already joined, log in. Otherwise, ask the person who invited you for a new one.
        </Text>
      ) : kind === 'approve-email' || kind === 'prove-email' ? (
        // Only the owner of an account asks for a change of its address.
        <Text>
          Ask for the change again in{' '}
          <Anchor href="/profile?settings=you" underline="always">
            your settings
          </Anchor>
          .
        </Text>
      ) : (
        <>
          <Text>{isLost ? 'Or ask for a new one:' : 'Ask for a new one:'}</Text>
          <AskForMail kind={kind} button="Ask for a new link" typed={typed} />
        </>
      )}
      <BackToSignIn />
    </Stack>
  )
}
