import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { type SignInAnswer, signIn } from '#contract/accounts.ts'
import { errorTable } from '#contract/errors.ts'
import { firstFocus, focusFirstError } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { before } from './link-texts.ts'
import { type ProofKind, proveByPassword } from './sign-in-calls.ts'
import { StepHead, StepLink } from './step-parts.tsx'
import { useSubmission } from './submission.ts'

const schema = signIn.pick({ password: true })

type Props = {
  kind: ProofKind
  token: string
  onOver: () => void
  onProved: (answer: SignInAnswer | undefined) => void
}

/** Whether the account is the reader's, too: anybody could have given it their address. */
export function ProofForm({ kind, token, onOver, onProved }: Props) {
  const { form, onSubmit, busy, failure } = useSubmission({
    schema,
    initialValues: { password: '' },
    send: (body) => proveByPassword(kind, { token, ...body }),
    onDone: onProved,
    onRefused: ({ code }, sent) => {
      if (code === 'link_over') onOver()
      if (code !== 'invalid_credentials') return code === 'link_over'
      const errors = { password: errorTable.wrong_password.message }
      sent.setErrors(errors)
      focusFirstError(sent)(errors)
      return true
    },
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <StepHead title={before[kind].title}>{errorTable.password_needed.message}</StepHead>
        <FailureAlert message={failure} />
        <PasswordInput
          ref={firstFocus}
          label="Password"
          name="password"
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        {kind === 'verify-email' ? (
          <StepLink to="forgot">I do not know this password</StepLink>
        ) : (
          // A new password would end the change, and this mailbox could not choose it.
          <Text size="sm" c="dimmed">
            If that account is not yours, close this page.
          </Text>
        )}
        <Button type="submit" loading={busy} fullWidth>
          Confirm address
        </Button>
      </Stack>
    </form>
  )
}
