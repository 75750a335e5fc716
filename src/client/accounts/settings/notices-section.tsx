import { Stack, Switch, Text } from '@mantine/core'
import { type NoticeKind, noticeKinds } from '#contract/account-settings.ts'
import { ProofButton } from '../account-notes.tsx'
import { NO_MAIL_SERVER } from '../mail-words.ts'
import { Section } from './section.tsx'
import type { SectionProps } from './sections.ts'
import { useSaveNotices } from './settings-calls.ts'

const texts: Record<NoticeKind, { label: string; description: string }> = {
  'code-ends': {
    label: 'A QR code ends soon',
    description: '3 days and 1 day before a code of the free plan stops working.',
  },
  'payment-failed': {
    label: 'A payment failed',
    description: 'When your card was refused, so that you can fix it before the plan ends.',
  },
  'plan-ends': {
    label: 'Your plan ends',
    description: 'In the week before a plan ends, and what that changes.',
  },
}

/** Mails that one can do without. */
export function NoticesSection(props: SectionProps) {
  return (
    <>
      <Notices {...props} />
      <Figures {...props} />
    </>
  )
}

function Notices({ account, config }: SectionProps) {
  const save = useSaveNotices()
  // The switch moves at once, and back if the server refuses.
  const off = (save.isPending && save.variables.noticesOff) || account.noticesOff
  const set = (kind: NoticeKind, isOn: boolean) => {
    const others = off.filter((one) => one !== kind)
    save.mutate({ noticesOff: isOn ? others : [...others, kind] })
  }
  return (
    <Section
      title="Notices by mail"
      text={
        config.mail === 'smtp'
          ? `They go to ${account.email}, one a day at most. You always get mails about the security of your account.`
          : `${NO_MAIL_SERVER}. Your choices are kept for when there is one.`
      }
    >
      <Stack gap="md">
        {noticeKinds.map((kind) => (
          <Switch
            key={kind}
            {...texts[kind]}
            checked={!off.includes(kind)}
            onChange={(event) => set(kind, event.currentTarget.checked)}
          />
        ))}
      </Stack>
    </Section>
  )
}

function Figures({ account, config, figureMails }: SectionProps) {
  const { email, emailVerified } = account
  return (
    <Section
      title="Figures by mail"
      text={
        config.mail === 'smtp'
          ? `How many scans your QR codes had, where and when. The mails go to ${email}.`
          : `${NO_MAIL_SERVER}. Your choice is kept for when there is one.`
      }
    >
      {!emailVerified && (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            Your e-mail address is not confirmed yet. Figures are mailed only to a confirmed one.
          </Text>
          <ProofButton email={email} mail={config.mail} />
        </Stack>
      )}
      {figureMails}
    </Section>
  )
}
