import { Anchor, Button, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSearch } from 'wouter'
import type { LinkKind, SignInAnswer } from '#contract/accounts.ts'
import { type ErrorCode, errorTable } from '#contract/errors.ts'
import { ApiError } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { AskForMail } from './forgot-step.tsx'
import { after, before } from './link-texts.ts'
import { mailedToken } from './mailed-token.ts'
import { ProofForm } from './proof-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { followLink, type LinkCall, signInByLink } from './sign-in-calls.ts'
import { BackToSignIn, StepHead, type StepProps } from './step-parts.tsx'
import { linkKindOf } from './steps.ts'
import { failureOf } from './submission.ts'

/** What a mailed link does, on the press of a button: programs that only look at links change nothing. */
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
      if (hasCode(error, 'password_needed')) setNeeded('password')
      else if (hasCode(error, 'sign_in_first')) setNeeded('sign-in')
      else throw error
    }
  }
  if (needed === 'sign-in') return <SignInFirst />
  if (needed && !done && kind !== 'approve-email') {
    const onProved = (answer: SignInAnswer | undefined) =>
      answer && 'next' in answer ? onAnswer(answer) : setDone(kind)
    return <ProofForm kind={kind} token={token} onOver={onOver} onProved={onProved} />
  }
  if (!done) {
    const undo = kind === 'approve-email' ? () => follow('undo-email') : undefined
    return <Press {...before[kind]} onOver={onOver} follow={() => follow(kind)} undo={undo} />
  }
  return (
    <Stack>
      <StepHead title={after[done].title} hasFocus>
        {after[done].text}
      </StepHead>
      {/* The server knows who is signed in: to the dashboard, or to sign in. */}
      <Button component="a" href="/api/login" fullWidth>
        Continue
      </Button>
    </Stack>
  )
}

/** The account has no password that could be asked for here. */
function SignInFirst() {
  return (
    <Stack>
      <StepHead title="Sign in first" hasFocus>
        {errorTable.sign_in_first.message}
      </StepHead>
      <Button component="a" href="/api/login" fullWidth>
        Sign in
      </Button>
    </Stack>
  )
}

type PressProps = {
  title: string
  text: string
  button: string
  onOver: () => void
  follow: () => Promise<void>
  undo?: (() => Promise<void>) | undefined
}

function Press({ title, text, button, onOver, follow, undo }: PressProps) {
  const [busy, setBusy] = useState<'follow' | 'undo'>()
  const [failure, setFailure] = useState<string | null>(null)
  const press = async (which: 'follow' | 'undo') => {
    setBusy(which)
    setFailure(null)
    try {
      await (which === 'undo' ? undo?.() : follow())
    } catch (error) {
      setBusy(undefined)
      if (hasCode(error, 'link_over')) onOver()
      else setFailure(failureOf(error))
    }
  }
  return (
    <Stack>
      <StepHead title={title} hasFocus>
        {text}
      </StepHead>
      <FailureAlert message={failure} />
      <BusyButton busy={busy === 'follow'} onClick={() => press('follow')} fullWidth>
        {button}
      </BusyButton>
      {undo && (
        <BusyButton
          variant="default"
          busy={busy === 'undo'}
          onClick={() => press('undo')}
          fullWidth
        >
          Cancel the change
        </BusyButton>
      )}
    </Stack>
  )
}

const hasCode = (error: unknown, code: ErrorCode) =>
  error instanceof ApiError && error.code === code

type OverProps = { kind: LinkKind; isLost: boolean; typed: { email: string } }

/** The link is used, too old, or was cut off; and how to get a new one. */
function LinkOver({ kind, isLost, typed }: OverProps) {
  return (
    <Stack>
      <StepHead title={isLost ? 'Open the link again' : 'This link no longer works'} hasFocus>
        {isLost
          ? 'This page no longer has the link. Open it in your mail once more.'
          : 'It has been used, or it is too old. Each link works once.'}
      </StepHead>
      <NewLink kind={kind} isLost={isLost} typed={typed} />
    </Stack>
  )
}

/** The way to a new link: only the owner of an account asks for a change of its address. */
function NewLink({ kind, isLost, typed }: OverProps): ReactNode {
  if (kind === 'approve-email' || kind === 'prove-email') {
    return (
      <Text>
        Ask for the change again in{' '}
        <Anchor href="/profile?settings=you" underline="always">
          your settings
        </Anchor>
        .
      </Text>
    )
  }
  return (
    <>
      <Text>{isLost ? 'Or ask for a new one:' : 'Ask for a new one:'}</Text>
      <AskForMail kind={kind} button="Ask for a new link" typed={typed} />
      <BackToSignIn />
    </>
  )
}
