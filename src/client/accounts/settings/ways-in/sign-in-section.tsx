import type { SectionProps } from '../sections.ts'
import { PasskeysForm } from './passkeys-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProviderLink } from './provider-link.tsx'
import { SecondStep } from './second-step.tsx'

/** The ways in. */
export function SignInSection({ account, config }: SectionProps) {
  return (
    <>
      {config.passwordLogin && <PasswordForm account={account} />}
      <PasskeysForm passkeys={account.passkeys} />
      <SecondStep state={account.secondFactor} email={account.email} />
      <ProviderLink linked={account.provider} offered={config.provider} />
    </>
  )
}
