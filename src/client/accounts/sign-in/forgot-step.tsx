import { Button, Stack, TextInput } from '@mantine/core'
import { type MailTo, mailTo as schema } from '#contract/accounts.ts'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { askForMail } from './sign-in-calls.ts'
import { BackToSignIn, StepHead, type StepProps } from './step-parts.tsx'
import { go, type Mailed } from './steps.ts'
import { useSubmission } from './submission.ts'

/** Somebody has forgotten their password: a mailed link lets them choose another. */
export function ForgotStep({ config, typed }: StepProps) {
  const hasMail = config.mail === 'smtp'
  return (
    <Stack>
      <StepHead title="Forgot your password?">
        Enter the address of your account.{' '}
        {hasMail
          ? 'A mail with a link then lets you choose a new password.'
          : 'Your operator then has a link for you that lets you choose a new password.'}
      </StepHead>
      <AskForMail
        kind="reset-password"
        button={hasMail ? 'Mail me a link' : 'Ask for a link'}
        typed={typed}
      />
      <BackToSignIn />
    </Stack>
  )
}

type Props = { kind: Mailed['kind']; button: string; typed: { email: string } }

/** A form that asks for a mail; the next step says where to look. */
export function AskForMail({ kind, button, typed }: Props) {
  const { form, onSubmit, busy, failure } = useSubmission<MailTo, void>({
    schema,
    initialValues: { email: typed.email },
    onValuesChange: ({ email }) => {
      typed.email = email
    },
    send: (body) => askForMail(kind, body),
    onDone: (_answer, { email }) => go('mail', { mailed: { kind, email } }),
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <FailureAlert message={failure} />
        <TextInput
          ref={firstFocus}
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <Button type="submit" loading={busy} fullWidth>
          {button}
        </Button>
      </Stack>
    </form>
  )
}
