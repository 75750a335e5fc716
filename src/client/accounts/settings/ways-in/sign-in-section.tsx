import type { SectionProps } from '../sections.ts'
import { PasskeysForm } from './passkeys-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { ProviderLink } from './provider-link.tsx'
import { SecondStep } from './second-step.tsx'

/** The ways in. */
export function SignInSection({ account, config }: SectionProps) {
  // The operator may let nobody in but by the provider, which then has all of these.
  const hasOwnWays = config.passwordLogin
  return (
    <>
      {hasOwnWays && <PasswordForm account={account} />}
      {hasOwnWays && <PasskeysForm passkeys={account.passkeys} />}
      {hasOwnWays && <SecondStep state={account.secondFactor} email={account.email} />}
      <ProviderLink linked={account.provider} offered={config.provider} isOnlyWay={!hasOwnWays} />
    </>
  )
}
