import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type SignIn, signIn as schema } from '#contract/accounts.ts'
import { FailureAlert } from '../ui/failure-alert.tsx'
import { firstFocus, focusFirstError } from '../ui/focus.ts'
import { signIn } from './queries.ts'
import { useSubmission } from './submission.ts'

export function SignInForm({ onDone }: { onDone: () => void }) {
  const form = useForm<SignIn>({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(schema, { sync: true }),
  })
  const submission = useSubmission(form, signIn, onDone)
  return (
    <form noValidate onSubmit={form.onSubmit(submission.submit, focusFirstError(form))}>
      <Stack>
        <FailureAlert message={submission.failure} />
        <TextInput
          ref={firstFocus}
          label="E-mail"
          type="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={submission.busy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
