import { Stack, Switch, Text } from '@mantine/core'
import { type NoticeKind, noticeKinds } from '#contract/accounts/account-settings.ts'
import { Section } from '../../ui/section.tsx'
import { ProofButton } from '../account-notes.tsx'
import { useChange } from '../queries.ts'
import type { SectionProps } from './sections.ts'
import { saveAccount } from './settings-calls.ts'

const NO_MAIL = 'This site can’t send email yet. We’ll keep your choice for when it can.'

const texts: Record<NoticeKind, { label: string; description: string }> = {
  'code-ends': {
    label: 'A QR code expires soon',
    description: '3 days and 1 day before a code on the Free plan stops working.',
  },
  'destination-dead': {
    label: 'A destination stops working',
    description: 'When the page that a code leads to has failed for most of a day.',
  },
  'payment-failed': {
    label: 'A payment failed',
    description: 'When your card is declined, so you can fix it in time.',
  },
  'plan-ends': {
    label: 'Your plan ends',
    description: 'In the week before your plan ends, with what changes.',
  },
}

/** Mails that one can do without. */
export function NoticesSection({ account, config, figureMails }: SectionProps) {
  const { email, emailVerified, noticesOff } = account
  const hasMail = config.mail === 'smtp'
  const save = useChange({
    call: (noticesOff: NoticeKind[]) => saveAccount({ noticesOff }),
    failed: 'Failed to save your choice',
  })
  // The switch moves at once, and back if the server refuses.
  const off = (save.isPending && save.variables) || noticesOff
  const set = (kind: NoticeKind, isOn: boolean) => {
    const others = off.filter((one) => one !== kind)
    save.mutate(isOn ? others : [...others, kind])
  }
  return (
    <>
      <Section
        title="Email notifications"
        text={
          hasMail
            ? `We send them to ${email}, at most one a day. You’ll always get emails about your account’s security.`
            : NO_MAIL
        }
      >
        {noticeKinds.map((kind) => (
          <Switch
            key={kind}
            {...texts[kind]}
            checked={!off.includes(kind)}
            onChange={(event) => set(kind, event.currentTarget.checked)}
          />
        ))}
      </Section>
      {figureMails && (
        <Section
          title="Email reports"
          text={
            hasMail
              ? `How many scans your QR codes had, where, and when. We send them to ${email}.`
              : NO_MAIL
          }
        >
          {!emailVerified && hasMail && (
            <Stack gap="xs" align="flex-start">
              <Text size="sm">
                Your email address isn’t confirmed yet. We only send reports to a confirmed address.
              </Text>
              <ProofButton email={email} />
            </Stack>
          )}
          {figureMails}
        </Section>
      )}
    </>
  )
}
