import { Stack } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { joinAsNew, type ShownInvitation } from '#contract/accounts/team.ts'
import { capitalized, formatDay } from '../../formats.ts'
import { forgetForm, keep, keptText } from '../../kept-form.ts'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { keepWorkspace } from '../../workspace.ts'
import { roleWords } from '../role-words.ts'
import { isOver } from './link-forms.tsx'
import { LinkOver, Press } from './link-step.tsx'
import { mailedToken } from './mailed-token.ts'
import { acceptInvitation, joinByInvitation, lookAtInvitation, signOut } from './sign-in-calls.ts'
import { Field, NewPasswordField, StepForm, StepHead, type StepProps } from './step-parts.tsx'
import { useSending } from './submission.ts'

/** Where the secret of an invitation is kept while its person logs in. */
const INVITATION = 'invitation'

/** An invitation, and the way into its workspace. */
export function InvitationStep({ typed }: StepProps) {
  const [token] = useState(() => mailedToken() ?? keptText(INVITATION) ?? '')
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
        keep(INVITATION, token)
        typed.email = shown.email
        navigate(`/api/login?returnTo=${encodeURIComponent('/api/login?link=invitation')}`)
      },
      'other-account': async () => {
        await signOut()
        await looking.send()
      },
    }
    const { next } = shown
    const button = next === 'join' && shown.role === 'owner' ? 'Take over' : buttons[next]
    return (
      <Press key={next} {...wordsOf(shown)} button={button} onOver={onOver} follow={ways[next]} />
    )
  }
  return looking.failure ? (
    <FailureAlert message={looking.failure} />
  ) : (
    <Spinner label="Loading the invitation" />
  )
}

/** Into the workspace. A new owner chooses how they pay for it. */
function enter({ role }: ShownInvitation, { workspaceId }: { workspaceId: string }): void {
  forgetForm(INVITATION)
  const page = role === 'owner' ? '/subscription' : '/dashboard'
  window.location.assign(keepWorkspace(page, workspaceId))
}

const buttons = { join: 'Join', 'log-in': 'Log in', 'other-account': 'Log out' }

/** Before the address that is invited */
const forWhom: Partial<Record<ShownInvitation['next'], string>> = {
  'other-account': 'You’re logged in with another address. This invitation is for ',
  'sign-up': 'Create your account for ',
}

/** The title and text of an invitation */
function wordsOf({ workspace, by, email, role, endsAt, next }: ShownInvitation) {
  const text = (
    <Stack gap="xs">
      <span>
        <b>
          <bdi>{by}</bdi>
        </b>{' '}
        {role === 'owner'
          ? 'wants you to own this workspace. You’ll decide about its members, and pay for its plan with your own card.'
          : 'invites you to this workspace, with your own login.'}
      </span>
      {role !== 'owner' && (
        <span>
          Your role: <b>{capitalized(role)}</b>. {roleWords[role]}
        </span>
      )}
      {forWhom[next] && (
        <span>
          {forWhom[next]}
          <b>{email}</b>.
        </span>
      )}
      <Quiet>This invitation expires on {formatDay(endsAt)}.</Quiet>
    </Stack>
  )
  return { title: `${role === 'owner' ? 'Take over' : 'Join'} ${workspace}?`, text }
}

type NewProps = { shown: ShownInvitation; token: string; onOver: () => void }

/** Makes the account of the address that is invited. */
function NewPerson({ shown, token, onOver }: NewProps) {
  const { title, text } = wordsOf(shown)
  return (
    <StepForm
      head={<StepHead title={title}>{text}</StepHead>}
      schema={joinAsNew.omit({ token: true })}
      initialValues={{ name: '', password: '' }}
      send={(body) => joinByInvitation({ token, ...body })}
      onDone={(joined) => enter(shown, joined)}
      onRefused={(error) => isOver(error, onOver)}
      button="Create account and join"
    >
      <Field ref={firstFocus} label="Name" name="name" autoComplete="name" />
      <NewPasswordField />
    </StepForm>
  )
}
