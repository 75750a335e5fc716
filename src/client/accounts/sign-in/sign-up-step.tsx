import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type SignUp, signUp as schema } from '#contract/accounts.ts'
import { FREE_EXPIRY_DAYS } from '#contract/plans.ts'
import { firstFocus, focusFirstError } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { useSubmission } from '../submission.ts'
import { ProviderButton } from './other-ways.tsx'
import { signUp } from './sign-in-calls.ts'
import { StepHead, type StepProps } from './step-parts.tsx'

export function SignUpStep({ config, typed, onAnswer }: StepProps) {
  const form = useForm<SignUp>({
    mode: 'uncontrolled',
    initialValues: { name: '', email: typed.email, password: '' },
    validate: schemaResolver(schema, { sync: true }),
    onValuesChange: ({ email }) => {
      typed.email = email
    },
  })
  const submission = useSubmission(form, {
    send: signUp,
    onDone: (answer, { email }) => onAnswer(answer, email),
  })
  return (
    <form noValidate onSubmit={form.onSubmit(submission.submit, focusFirstError(form))}>
      <Stack>
        <StepHead title="Create an account">
          Your account is free. On the free plan a code stops working {FREE_EXPIRY_DAYS} days after
          you first save it. Upgrade at any time, and the same code keeps working.
        </StepHead>
        <FailureAlert message={submission.failure} />
        <TextInput
          ref={firstFocus}
          label="Name"
          name="name"
          autoComplete="name"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="E-mail"
          type="email"
          name="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="new-password"
          placeholder="At least 8 characters"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={submission.busy} fullWidth>
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
