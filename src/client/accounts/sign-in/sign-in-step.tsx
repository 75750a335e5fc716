import { Divider, Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type SignIn, signIn as schema } from '#contract/accounts/accounts.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { hasOtherWays, OtherWays } from './other-ways.tsx'
import { askForMail, signIn } from './sign-in-calls.ts'
import {
  EmailField,
  PasswordField,
  StepForm,
  StepHead,
  StepLink,
  StepNotice,
  type StepProps,
} from './step-parts.tsx'
import { go, type StepState } from './steps.ts'
import { useSending } from './submission.ts'

/** All sign-in methods of this server. */
export function SignInStep(props: StepProps) {
  const { config } = props
  const search = useSearch()
  const state = useHistoryState<StepState | null>()
  const [failure, setFailure] = useState(state?.failure ?? null)
  const isTurnedAway = new URLSearchParams(search).has('new') && config.signUp === 'closed'
  return (
    <Stack>
      <StepHead title="Log in" hasFocus={!config.passwordLogin} />
      {state?.notice && !failure && <StepNotice>{state.notice}</StepNotice>}
      {isTurnedAway && <StepNotice>Sign-up is closed.</StepNotice>}
      <FailureAlert message={failure} />
      {config.passwordLogin && <PasswordWay {...props} onTry={() => setFailure(null)} />}
      <OtherWays {...props} onFailure={setFailure} />
    </Stack>
  )
}

/** The address and the password; or only the address, for a link. */
function PasswordWay({ config, typed, onAnswer, onTry }: StepProps & { onTry: () => void }) {
  const link = useSending(async (email: string) => {
    await askForMail('sign-in', { email })
    go('mail', { mailed: { kind: 'sign-in', email } })
  })
  const mailLink = (form: UseFormReturnType<SignIn>) => {
    const { hasError } = form.validateField('email')
    if (hasError) form.getInputNode('email')?.focus()
    else void link.send(form.getValues().email)
  }
  const send = (body: SignIn) => {
    onTry()
    link.forget()
    return signIn(body)
  }
  return (
    <StepForm
      schema={schema}
      initialValues={{ email: typed.email, password: '' }}
      onValuesChange={({ email }) => Object.assign(typed, { email })}
      send={send}
      onDone={(answer, { email }) => onAnswer(answer, email)}
      failure={link.failure}
      button="Log in"
      after={(form) => (
        <>
          {(config.mail === 'smtp' || hasOtherWays(config)) && <Divider label="or" />}
          {config.mail === 'smtp' && (
            <PlainButton loading={link.busy} onClick={() => mailLink(form)} fullWidth>
              Email me a login link
            </PlainButton>
          )}
        </>
      )}
    >
      <EmailField autoComplete="username webauthn" />
      <PasswordField label="Password" autoComplete="current-password" />
      <StepLink to="forgot">Forgot your password?</StepLink>
    </StepForm>
  )
}
