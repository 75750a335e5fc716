import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { secondFactorCode as schema } from '#contract/accounts/accounts.ts'
import { firstFocus } from '../../ui/focus.ts'
import { sendCode } from './sign-in-calls.ts'
import { BackToSignIn, Field, StepForm, StepHead, type StepProps } from './step-parts.tsx'
import { go } from './steps.ts'

/** The second factor: a code of the app, or a recovery code. */
export function CodeStep({ onAnswer }: StepProps) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <Stack>
      <StepHead title={isRecovery ? 'Use a recovery code' : 'Enter your code'}>
        {isRecovery
          ? 'Enter one of the recovery codes you saved. Each one works once.'
          : 'Open your authenticator app and enter its code for Tessera.'}
      </StepHead>
      <StepForm
        key={String(isRecovery)}
        schema={schema}
        initialValues={{ code: '' }}
        send={sendCode}
        onDone={(answer) => onAnswer(answer)}
        // After too many codes, or too late, the sign-in begins again with the password.
        onRefused={({ code, serverMessage }) => {
          if (code === 'sign_in_again')
            go('sign-in', { replace: true, ...(serverMessage && { failure: serverMessage }) })
          return code === 'sign_in_again'
        }}
        button="Log in"
      >
        <Field
          ref={firstFocus}
          label={isRecovery ? 'Recovery code' : 'Code'}
          name="code"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete={isRecovery ? 'off' : 'one-time-code'}
          inputMode={isRecovery ? undefined : 'numeric'}
        />
      </StepForm>
      <Button variant="subtle" onClick={() => setRecovery(!isRecovery)} fullWidth>
        {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
      </Button>
      <BackToSignIn />
    </Stack>
  )
}
