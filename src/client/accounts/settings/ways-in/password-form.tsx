import { PasswordInput } from '@mantine/core'
import { type AccountSettings, passwordChange } from '#contract/account-settings.ts'
import { PASSWORD_MIN } from '#contract/accounts.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import styles from '../../../ui/form.module.css'
import { Section } from '../section.tsx'
import { useSavePassword } from '../settings-calls.ts'
import { useSettingsForm } from '../settings-form.ts'

const schema = passwordChange.pick({ password: true })

export function PasswordForm({ account }: { account: AccountSettings }) {
  const { hasPassword, email } = account
  const save = useSavePassword()
  const { form, onSubmit } = useSettingsForm({ password: '' }, schema, ({ password }, answers) =>
    save.mutate(password, answers),
  )
  return (
    <Section
      title="Password"
      text={
        hasPassword
          ? 'A new password ends all other sessions.'
          : 'Your account has no password yet. With one you can sign in without a mail or provider.'
      }
    >
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        {/* Password managers learn from it which account this is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="New password"
          description={`At least ${PASSWORD_MIN} characters. A few words in a row are good.`}
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
