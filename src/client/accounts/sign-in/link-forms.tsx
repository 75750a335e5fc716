import { type LinkKind, password, type SignInAnswer, signIn } from '#contract/accounts/accounts.ts'
import { errorTable } from '#contract/errors.ts'
import { z } from '#contract/zod.ts'
import { isRefusal } from '../../api.ts'
import { firstFocus, focusFirstError } from '../../ui/focus.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { type ProofKind, proveByPassword, resetPassword } from './sign-in-calls.ts'
import { NewPasswordField, PasswordField, StepForm, StepHead, StepLink } from './step-parts.tsx'
import { go } from './steps.ts'

/* The mailed links that need a password, and what each link says first. */

const passwordOnly = signIn.pick({ password: true })

/** Whether the link is used or too old, which `onOver` then shows. */
export function isOver(error: unknown, onOver: () => void): boolean {
  const isLinkOver = isRefusal(error, 'link_over')
  if (isLinkOver) onOver()
  return isLinkOver
}

type LinkProps = { token: string; onOver: () => void }

type ProofProps = LinkProps & {
  kind: ProofKind
  onProved: (answer: SignInAnswer | undefined) => void
}

/** Asks whether the account is the reader's too: a stranger could have given it their address. */
export function ProofForm({ kind, token, onOver, onProved }: ProofProps) {
  return (
    <StepForm
      head={<StepHead title={before[kind].title}>{errorTable.password_needed.message}</StepHead>}
      schema={passwordOnly}
      initialValues={{ password: '' }}
      send={(body) => proveByPassword(kind, { token, ...body })}
      onDone={onProved}
      onRefused={(error, sent) => {
        if (error.code !== 'invalid_credentials') return isOver(error, onOver)
        const errors = { password: errorTable.wrong_password.message }
        sent.setErrors(errors)
        focusFirstError(sent)(errors)
        return true
      }}
      button="Confirm address"
    >
      <PasswordField ref={firstFocus} label="Password" autoComplete="current-password" />
      {kind === 'verify-email' ? (
        <StepLink to="forgot">I don’t know this password</StepLink>
      ) : (
        // A new password would end the change, and this mailbox could not choose it.
        <Quiet>If that account isn’t yours, close this page.</Quiet>
      )}
    </StepForm>
  )
}

const newPassword = z.object({ password })

const DONE = 'Your password has been changed. Log in with the new one.'

/** Chooses a new password by a mailed link. */
export function ResetForm({ token, onOver }: LinkProps) {
  return (
    <StepForm
      head={
        <StepHead title="Choose a new password">
          It replaces the old one and logs you out everywhere. Your QR codes keep working.
        </StepHead>
      }
      schema={newPassword}
      initialValues={{ password: '' }}
      send={(body) => resetPassword({ token, ...body })}
      // Back does not lead to a link that is used.
      onDone={() => go('sign-in', { replace: true, notice: DONE })}
      onRefused={(error) => isOver(error, onOver)}
      button="Change password"
    >
      <NewPasswordField ref={firstFocus} label="New password" />
    </StepForm>
  )
}

type Before = { title: string; text: string; button: string }

/** The texts of each link before a button is pressed. */
export const before: Record<Exclude<LinkKind, 'reset-password'>, Before> = {
  'sign-in': {
    title: 'Log in with your link',
    text: 'This opens your account in this browser.',
    button: 'Log in',
  },
  'verify-email': {
    title: 'Confirm your address',
    text: 'Confirm that you created a Tessera account with this address. If you didn’t, close this page.',
    button: 'Confirm address',
  },
  'approve-email': {
    title: 'Change your address?',
    text: 'Someone asked to change the address of your account. If it wasn’t you, cancel the change here, then change your password.',
    button: 'Approve change',
  },
  'prove-email': {
    title: 'Confirm your new address',
    text: 'Your account will use this address. If you didn’t ask for that, close this page.',
    button: 'Confirm new address',
  },
}
