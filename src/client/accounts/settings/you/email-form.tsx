import { Badge, Group, Stack, Text, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { Clock } from 'lucide-react'
import { type AccountSettings, emailChange } from '#contract/account-settings.ts'
import type { PublicConfig } from '#contract/accounts.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { focusFirstError } from '../../../ui/focus.ts'
import { NO_MAIL_SERVER } from '../../mail-words.ts'
import { Notice } from '../../notice.tsx'
import { ProofButton } from '../../proof-button.tsx'
import { showErrors } from '../form-errors.ts'
import { Section } from '../section.tsx'
import { useChangeEmail } from '../settings-calls.ts'
import styles from '../settings-form.module.css'

type Props = { account: AccountSettings; mail: PublicConfig['mail'] }

const schema = emailChange.pick({ email: true })

export function EmailForm({ account, mail }: Props) {
  const change = useChangeEmail()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '' },
    validate: schemaResolver(schema, { sync: true }),
  })
  const submit = (values: { email: string }) =>
    change.mutate(values, { onSuccess: form.reset, onError: showErrors(form) })
  const promise =
    mail === 'smtp'
      ? 'A change needs your answer at both addresses: we mail a link to each.'
      : NO_MAIL_SERVER
  return (
    <Section title="E-mail address" text="You sign in with it, and our mails go there.">
      <Address account={account} mail={mail} />
      {account.pendingEmail && <Pending {...account} mail={mail} />}
      <form
        noValidate
        className={styles.form}
        onSubmit={form.onSubmit(submit, focusFirstError(form))}
      >
        <TextInput
          label="New e-mail address"
          description={promise}
          type="email"
          autoComplete="email"
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <BusyButton type="submit" variant="default" busy={change.isPending} busyText="Asking...">
          Change e-mail address
        </BusyButton>
      </form>
    </Section>
  )
}

function Address({ account, mail }: Props) {
  const { email, emailVerified } = account
  return (
    <Stack gap="xs" align="flex-start">
      <Group gap="xs">
        <Text fw={600} className={styles.long}>
          {email}
        </Text>
        <Badge variant="default" tt="none">
          {emailVerified ? 'Confirmed' : 'Not confirmed'}
        </Badge>
      </Group>
      {!emailVerified && <ProofButton email={email} mail={mail} />}
    </Stack>
  )
}

type PendingProps = Pick<AccountSettings, 'email' | 'pendingEmail'> & Pick<Props, 'mail'>

function Pending({ email, pendingEmail, mail }: PendingProps) {
  return (
    <Notice icon={Clock} title={`The change to ${pendingEmail} is under way`}>
      {mail === 'smtp'
        ? `Open the link in the mail to ${email}, then the one in the mail to ${pendingEmail}. Until both are done, ${email} stays. The links work for a day.`
        : `${NO_MAIL_SERVER}. Until both addresses have answered, ${email} stays.`}
    </Notice>
  )
}
