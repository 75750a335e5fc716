import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SignInAnswer, type SignUp, signUp as schema } from '#contract/accounts.ts'
import { FREE_EXPIRY_DAYS } from '#contract/plans.ts'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { ProviderButton } from './other-ways.tsx'
import { signUp } from './sign-in-calls.ts'
import { StepHead, type StepProps } from './step-parts.tsx'
import { useSubmission } from './submission.ts'

export function SignUpStep({ config, typed, onAnswer }: StepProps) {
  const { form, onSubmit, busy, failure } = useSubmission<SignUp, SignInAnswer>({
    schema,
    initialValues: { name: '', email: typed.email, password: '' },
    onValuesChange: ({ email }) => {
      typed.email = email
    },
    send: signUp,
    onDone: (answer, { email }) => onAnswer(answer, email),
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <StepHead title="Create an account">
          Your account is free. On the free plan a code stops working {FREE_EXPIRY_DAYS} days after
          you first save it. Upgrade at any time, and the same code keeps working.
        </StepHead>
        <FailureAlert message={failure} />
        <TextInput
          ref={firstFocus}
          label="Name"
          name="name"
          autoComplete="name"
          {...form.getInputProps('name')}
        />
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          placeholder="At least 8 characters"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={busy} fullWidth>
          Create account
        </Button>
        {config.provider && (
          <>
            <Divider label="or" />
            <ProviderButton name={config.provider} />
          </>
        )}
      </Stack>
    </form>
  )
}
