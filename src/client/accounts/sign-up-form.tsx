import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type SignUp, signUp as schema } from '#contract/accounts.ts'
import { FailureAlert } from '../ui/failure-alert.tsx'
import { firstFocus, focusFirstError } from '../ui/focus.ts'
import { signUp } from './queries.ts'
import { useSubmission } from './submission.ts'

export function SignUpForm({ onDone }: { onDone: () => void }) {
  const form = useForm<SignUp>({
    mode: 'uncontrolled',
    initialValues: { name: '', email: '', password: '' },
    validate: schemaResolver(schema, { sync: true }),
  })
  const submission = useSubmission(form, signUp, onDone)
  return (
    <form noValidate onSubmit={form.onSubmit(submission.submit, focusFirstError(form))}>
      <Stack>
        <FailureAlert message={submission.failure} />
        <TextInput
          ref={firstFocus}
          label="Name"
          autoComplete="name"
          key={form.key('name')}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={submission.busy} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  )
}
