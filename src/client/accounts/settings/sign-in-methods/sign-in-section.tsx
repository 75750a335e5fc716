import { Text } from '@mantine/core'
import {
  type AccountSettings,
  type ProviderLink as ProviderLinkAnswer,
  passwordChange,
} from '#contract/accounts/account-settings.ts'
import { PASSWORD_MIN } from '#contract/accounts/accounts.ts'
import { request } from '../../../api.ts'
import { Section } from '../../../ui/section.tsx'
import { ChangeButton } from '../../change-button.tsx'
import { PasswordField } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { withProof } from '../proof.tsx'
import type { SectionProps } from '../sections.ts'
import { provedJson } from '../settings-calls.ts'
import { PasskeysForm } from './passkeys-form.tsx'
import { SecondStep } from './second-step.tsx'

export function SignInSection({ account, config }: SectionProps) {
  // A provider that is the only sign-in method has all of these itself.
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

const schema = passwordChange.pick({ password: true })

function PasswordForm({ account }: { account: AccountSettings }) {
  const { hasPassword, email } = account
  return (
    <Section
      title="Password"
      text={
        hasPassword
          ? 'A new password ends all other sessions.'
          : 'Your account doesn’t have a password yet. With one, you can log in without an email or another service.'
      }
    >
      <ChangeForm
        schema={schema}
        initialValues={{ password: '' }}
        call={({ password }) =>
          withProof((current) => request('POST', '/api/account/password', { current, password }))
        }
        done="Password saved"
        failed="Failed to save your password"
        button={hasPassword ? 'Change password' : 'Set password'}
        busyText="Saving..."
      >
        {/* Password managers learn from it which account this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="New password"
          description={`At least ${PASSWORD_MIN} characters. A few random words work well.`}
          autoComplete="new-password"
        />
      </ChangeForm>
    </Section>
  )
}

type Props = { linked: string | null; offered: string | null; isOnlyWay: boolean }

/** The company's own sign-in, if the operator has set one up. */
function ProviderLink({ linked, offered, isOnlyWay }: Props) {
  if (linked) {
    return (
      <Section title={linked}>
        <Text size="sm">Your account is linked. You can log in with {linked}.</Text>
        {!isOnlyWay && (
          <ChangeButton
            call={() =>
              withProof((password) => request('DELETE', '/api/account/provider', { password }))
            }
            done="Login service unlinked"
            failed="Failed to unlink it"
            question={{
              title: `Unlink ${linked}?`,
              text: 'You won’t be able to log in with it, and other browsers that did are logged out. Logging in with it and your confirmed email address links it again.',
              go: 'Unlink',
            }}
          >
            {`Unlink ${linked}`}
          </ChangeButton>
        )}
      </Section>
    )
  }
  if (!offered) return null
  return (
    <Section title={offered} text={`Link your account to log in with ${offered} from now on.`}>
      <ChangeButton
        call={openProvider}
        failed="Failed to open the login service"
        busyText="Opening..."
      >
        {`Link with ${offered}`}
      </ChangeButton>
    </Section>
  )
}

/** Leaves for the provider's page, which links the account. The button stays busy until then. */
async function openProvider(): Promise<never> {
  const { url } = await provedJson<ProviderLinkAnswer>('provider/link')
  window.location.assign(url)
  return new Promise(() => {})
}
