import { Badge, Group, Stack, Text } from '@mantine/core'
import { Clock } from 'lucide-react'
import { type AccountSettings, emailChange } from '#contract/accounts/account-settings.ts'
import type { PublicConfig } from '#contract/accounts/accounts.ts'
import { Section } from '../../ui/section.tsx'
import { Notice, ProofButton } from '../account-notes.tsx'
import { RowChange } from '../change-button.tsx'
import { Field, NO_MAIL } from '../sign-in/step-parts.tsx'
import { ChangeForm } from './change-form.tsx'
import { proved, remove } from './settings-calls.ts'

type Props = { account: AccountSettings; mail: PublicConfig['mail'] }

const schema = emailChange.pick({ email: true })

export function EmailForm({ account, mail }: Props) {
  const { email, emailVerified, pendingEmail } = account
  const hasMail = mail === 'smtp'
  const promise = emailVerified
    ? 'We’ll email a link to both addresses. Open both to make the change.'
    : 'We’ll email a link to the new address.'
  // An address that was never confirmed need not agree.
  const links = emailVerified
    ? `Open the links we emailed to ${email} and ${pendingEmail}. They work for a day.`
    : `Open the link we emailed to ${pendingEmail}. It works for a day.`
  return (
    <Section title="Email address" text="You log in with it, and we email you there.">
      <Stack gap="xs" align="flex-start">
        <Group gap="xs">
          <Text fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          {(emailVerified || hasMail) && (
            <Badge variant="default" tt="none">
              {emailVerified ? 'Confirmed' : 'Not confirmed'}
            </Badge>
          )}
        </Group>
        {!emailVerified && hasMail && <ProofButton email={email} />}
      </Stack>
      {pendingEmail && (
        <Notice
          icon={Clock}
          title={`Your address will change to ${pendingEmail}`}
          actions={
            <RowChange
              call={() => remove('email')}
              done="Your email address stays the same"
              failed="Failed to cancel the change"
            >
              Cancel change
            </RowChange>
          }
        >
          {hasMail ? links : NO_MAIL} Until then, you keep {email}.
        </Notice>
      )}
      <ChangeForm
        schema={schema}
        initialValues={{ email: '' }}
        call={(body) => proved('email', body)}
        failed="Failed to change your email address"
        button="Change email address"
        busyText="Sending..."
        variant="default"
      >
        <Field
          label="New email address"
          description={hasMail ? promise : NO_MAIL}
          type="email"
          autoComplete="email"
          name="email"
        />
      </ChangeForm>
    </Section>
  )
}
