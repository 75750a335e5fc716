import { Button, PasswordInput, Stack } from '@mantine/core'
import { password } from '#contract/accounts.ts'
import { z } from '#contract/zod.ts'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { resetPassword } from './sign-in-calls.ts'
import { StepHead } from './step-parts.tsx'
import { go } from './steps.ts'
import { useSubmission } from './submission.ts'

const schema = z.object({ password })

const DONE = 'Your password is changed. Sign in with the new one.'

/** The new password, by a mailed link. */
export function ResetForm({ token, onOver }: { token: string; onOver: () => void }) {
  const { form, onSubmit, busy, failure } = useSubmission({
    schema,
    initialValues: { password: '' },
    send: (body) => resetPassword({ token, ...body }),
    // Back does not lead to a link that is used.
    onDone: () => go('sign-in', { replace: true, notice: DONE }),
    onRefused: ({ code }) => {
      if (code === 'link_over') onOver()
      return code === 'link_over'
    },
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <StepHead title="Choose a new password">
          It replaces the old one, and you are signed out everywhere. Your QR codes keep working.
        </StepHead>
        <FailureAlert message={failure} />
        <PasswordInput
          ref={firstFocus}
          label="New password"
          name="password"
          autoComplete="new-password"
          placeholder="At least 8 characters"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} fullWidth>
          Change my password
        </Button>
      </Stack>
    </form>
  )
}
