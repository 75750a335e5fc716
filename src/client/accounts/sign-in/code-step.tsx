import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type SecondFactorCode,
  type SignInAnswer,
  secondFactorCode as schema,
} from '#contract/accounts.ts'
import { firstFocus } from '../../ui/focus.ts'
import { FailureAlert } from '../../ui/messages/failure-alert.tsx'
import { sendCode } from './sign-in-calls.ts'
import { BackToSignIn, StepHead, type StepProps } from './step-parts.tsx'
import { go } from './steps.ts'
import { useSubmission } from './submission.ts'

/** The second factor: a code of the app, or one of the codes that were kept for its loss. */
export function CodeStep({ onAnswer }: StepProps) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <Stack>
      <StepHead title={isRecovery ? 'Use a recovery code' : 'Enter your code'}>
        {isRecovery
          ? 'Enter one of the recovery codes that you saved. Each works once.'
          : 'Open your authenticator app and enter its code for Tessera.'}
      </StepHead>
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} onAnswer={onAnswer} />
      <Button variant="subtle" onClick={() => setRecovery(!isRecovery)} fullWidth>
        {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Button>
      <BackToSignIn />
    </Stack>
  )
}

type Props = Pick<StepProps, 'onAnswer'> & { isRecovery: boolean }

function CodeForm({ isRecovery, onAnswer }: Props) {
  const { form, onSubmit, busy, failure } = useSubmission<SecondFactorCode, SignInAnswer>({
    schema,
    initialValues: { code: '' },
    send: sendCode,
    onDone: (answer) => onAnswer(answer),
    fieldOf: { wrong_code: 'code' },
    // Too late, or too many codes: it begins again with the password.
    onRefused: ({ code, serverMessage }) => {
      if (code === 'sign_in_again')
        go('sign-in', { replace: true, ...(serverMessage && { failure: serverMessage }) })
      return code === 'sign_in_again'
    },
  })
  return (
    <form noValidate onSubmit={onSubmit}>
      <Stack>
        <FailureAlert message={failure} />
        <TextInput
          ref={firstFocus}
          label={isRecovery ? 'Recovery code' : 'Code'}
          name="code"
          autoCapitalize="none"
          spellCheck={false}
          {...(isRecovery
            ? { autoComplete: 'off' }
            : { autoComplete: 'one-time-code', inputMode: 'numeric' })}
          {...form.getInputProps('code')}
        />
        <Button type="submit" loading={busy} fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  )
}
