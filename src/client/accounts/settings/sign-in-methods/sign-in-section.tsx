import { PasswordInput, Text } from '@mantine/core'
import { type AccountSettings, passwordChange } from '#contract/account-settings.ts'
import { PASSWORD_MIN } from '#contract/accounts.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import styles from '../../../ui/form.module.css'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { useSubmission } from '../../sign-in/submission.ts'
import { Section } from '../section.tsx'
import type { SectionProps } from '../sections.ts'
import { useLinkProvider, useSavePassword, useUnlinkProvider } from '../settings-calls.ts'
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
  const save = useSavePassword()
  const { form, onSubmit } = useSubmission({
    schema,
    initialValues: { password: '' },
    send: save.mutateAsync,
    onDone: (_answer, _body, sent) => sent.reset(),
  })
  return (
    <Section
      title="Password"
      text={
        hasPassword
          ? 'A new password ends all other sessions.'
          : 'Your account doesn’t have a password yet. With one, you can log in without an email or another service.'
      }
    >
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        {/* Password managers learn from it which account this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_MIN} characters. A few random words work well.`}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <BusyButton type="submit" busy={save.isPending} busyText="Saving...">
          {hasPassword ? 'Change password' : 'Set password'}
        </BusyButton>
      </form>
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
        {!isOnlyWay && <Unlink provider={linked} />}
      </Section>
    )
  }
  return offered ? <Link provider={offered} /> : null
}

function Unlink({ provider }: { provider: string }) {
  const unlink = useUnlinkProvider()
  const ask = () =>
    confirm({
      title: `Unlink ${provider}?`,
      text: `You won’t be able to log in with it, and other browsers that did are logged out. Logging in with it and your confirmed email address links it again.`,
      stay: 'Keep it',
      go: 'Unlink',
      onGo: () => unlink.mutate(),
    })
  return (
    <BusyButton variant="default" busy={unlink.isPending} busyText="Unlinking..." onClick={ask}>
      Unlink {provider}
    </BusyButton>
  )
}

function Link({ provider }: { provider: string }) {
  const link = useLinkProvider()
  return (
    <Section title={provider} text={`Link your account to log in with ${provider} from now on.`}>
      <BusyButton
        variant="default"
        busy={link.isPending || link.isSuccess}
        busyText="Opening..."
        onClick={() => link.mutate()}
      >
        Link with {provider}
      </BusyButton>
    </Section>
  )
}
