import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type SignIn, type SignInAnswer, signIn as schema } from '#contract/accounts.ts'
import { firstFocus, focusFirstError } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { hasOtherWays, OtherWays } from './other-ways.tsx'
import { askForMail, signIn } from './sign-in-calls.ts'
import { StepHead, StepLink, StepNotice, type StepProps } from './step-parts.tsx'
import { go, type Kept } from './steps.ts'
import { failureOf, useSubmission } from './submission.ts'

/** All ways in that this server has. */
export function SignInStep(props: StepProps) {
  const { config } = props
  const search = useSearch()
  const kept = useHistoryState<Kept | null>()
  const [failure, setFailure] = useState(kept?.failure ?? null)
  const isTurnedAway = new URLSearchParams(search).has('new') && config.signUp === 'closed'
  return (
    <Stack>
      <StepHead title="Sign in" hasFocus={!config.passwordLogin} />
      {kept?.notice && !failure && <StepNotice>{kept.notice}</StepNotice>}
      {isTurnedAway && <StepNotice>This server does not take new accounts.</StepNotice>}
      <FailureAlert message={failure} />
      {config.passwordLogin && <PasswordWay {...props} onTry={() => setFailure(null)} />}
      <OtherWays {...props} onFailure={setFailure} />
    </Stack>
  )
}

/** The address and the password; or only the address, for a link. */
function PasswordWay({ config, typed, onAnswer, onTry }: StepProps & { onTry: () => void }) {
  const submission = useSubmission<SignIn, SignInAnswer>({
    schema,
    initialValues: { email: typed.email, password: '' },
    onValuesChange: ({ email }) => {
      typed.email = email
    },
    send: signIn,
    onDone: (answer, { email }) => onAnswer(answer, email),
  })
  const { form } = submission
  const link = useMailedLink(() => {
    const { hasError } = form.validateField('email')
    if (hasError) form.getInputNode('email')?.focus()
    return hasError ? undefined : form.getValues().email
  })
  const send = form.onSubmit((body) => {
    onTry()
    link.forget()
    submission.submit(body)
  }, focusFirstError(form))
  return (
    <form noValidate onSubmit={send}>
      <Stack>
        <FailureAlert message={submission.failure ?? link.failure} />
        <TextInput
          ref={firstFocus}
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username webauthn"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <StepLink to="forgot">Forgot your password?</StepLink>
        <Button type="submit" loading={submission.busy} fullWidth>
          Sign in
        </Button>
        {(config.mail === 'smtp' || hasOtherWays(config)) && <Divider label="or" />}
        {config.mail === 'smtp' && (
          <Button variant="default" loading={link.busy} onClick={link.send} fullWidth>
            Sign in with a mailed link
          </Button>
        )}
      </Stack>
    </form>
  )
}

/** Mails a link that signs in, to the address that is typed. */
function useMailedLink(address: () => string | undefined) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const send = async () => {
    const email = address()
    if (!email) return
    setBusy(true)
    setFailure(null)
    try {
      await askForMail('sign-in', { email })
      go('mail', { mailed: { kind: 'sign-in', email } })
    } catch (error) {
      setBusy(false)
      setFailure(failureOf(error))
    }
  }
  return { send, busy, failure, forget: () => setFailure(null) }
}
