import { Box, Divider, Group } from '@mantine/core'
import { useState } from 'react'
import { signUp as schema } from '#contract/accounts/accounts.ts'
import { FREE_EXPIRY_DAYS } from '#contract/billing/plans.ts'
import { begunPicture } from '../../kept-form.ts'
import { firstFocus } from '../../ui/focus.ts'
import { ProviderButton } from './other-ways.tsx'
import { signUp } from './sign-in-calls.ts'
import {
  EmailField,
  Field,
  NewPasswordField,
  StepForm,
  StepHead,
  type StepProps,
} from './step-parts.tsx'

export function SignUpStep({ config, typed, onAnswer }: StepProps) {
  const [picture] = useState(begunPicture)
  return (
    <StepForm
      head={
        <StepHead title="Create an account">
          {picture && <BegunCode picture={picture} />}
          Your account is free. On the Free plan, a code stops working {FREE_EXPIRY_DAYS} days after
          you first save it. Upgrade anytime, and the same code keeps working.
        </StepHead>
      }
      schema={schema}
      initialValues={{ name: '', email: typed.email, password: '' }}
      onValuesChange={({ email }) => Object.assign(typed, { email })}
      send={signUp}
      onDone={(answer, { email }) => onAnswer(answer, email)}
      button="Create account"
      after={
        config.provider && (
          <>
            <Divider label="or" />
            <ProviderButton name={config.provider} />
          </>
        )
      }
    >
      <Field ref={firstFocus} label="Name" name="name" autoComplete="name" />
      <EmailField autoComplete="email" hasFocus={false} />
      <NewPasswordField />
    </StepForm>
  )
}

/** The code that the visitor has made on the landing page. */
function BegunCode({ picture }: { picture: string }) {
  return (
    <Group component="span" gap="sm" mb="sm" wrap="nowrap" fw={500} c="var(--text)">
      <Box component="img" src={picture} alt="" w={72} h={72} bdrs="sm" />
      Create your account to save and download this code.
    </Group>
  )
}
