import { Stack } from '@mantine/core'
import { mailTo as schema } from '#contract/accounts/accounts.ts'
import { askForMail } from './sign-in-calls.ts'
import { BackToSignIn, EmailField, StepForm, StepHead, type StepProps } from './step-parts.tsx'
import { go, type Mailed } from './steps.ts'

/** Asks for a mailed link that lets the user choose another password. */
export function ForgotStep({ config, typed }: StepProps) {
  const hasMail = config.mail === 'smtp'
  return (
    <Stack>
      <StepHead title="Forgot your password?">
        Enter your account’s email address.{' '}
        {hasMail
          ? 'We’ll email you a link to choose a new password.'
          : 'Support will have a link for you to choose a new password.'}
      </StepHead>
      <AskForMail
        kind="reset-password"
        button={hasMail ? 'Email me a link' : 'Ask for a link'}
        typed={typed}
      />
      <BackToSignIn />
    </Stack>
  )
}

type Props = { kind: Mailed['kind']; button: string; typed: { email: string } }

/** A form that asks for a mail; the next step says where to look. */
export function AskForMail({ kind, button, typed }: Props) {
  return (
    <StepForm
      schema={schema}
      initialValues={{ email: typed.email }}
      onValuesChange={({ email }) => Object.assign(typed, { email })}
      send={(body) => askForMail(kind, body)}
      onDone={(_answer, { email }) => go('mail', { mailed: { kind, email } })}
      button={button}
    >
      <EmailField autoComplete="username" />
    </StepForm>
  )
}
