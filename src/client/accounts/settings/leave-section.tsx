import { List, Text } from '@mantine/core'
import { DELETION_DAYS } from '#contract/account-settings.ts'
import type { User } from '#contract/accounts.ts'
import { plans } from '#contract/plans.ts'
import { DAY_MS } from '#contract/time.ts'
import { formatDay } from '../../formats.ts'
import { Section } from '../../ui/section.tsx'
import { BAD } from '../../ui/theme/theme.ts'
import { RestoreButton } from '../account-notes.tsx'
import { ChangeButton } from '../change-button.tsx'
import type { SectionProps } from './sections.ts'
import { proved } from './settings-calls.ts'
import { TakeLinks } from './take-links.tsx'

export function LeaveSection({ user, account: { deletionAt } }: SectionProps) {
  return (
    <>
      <Section
        title="Take your links with you"
        text="One ZIP with all your QR codes: their pictures, their data, and redirects for your own server (nginx, Caddy, Netlify, or a spreadsheet)."
      >
        <TakeLinks />
      </Section>
      {deletionAt ? (
        <Section
          title={`This account will be deleted on ${formatDay(deletionAt)}`}
          text="Until then, your QR codes keep working. If you restore it, everything stays as it was."
        >
          <RestoreButton />
        </Section>
      ) : (
        <Section
          title="Delete account"
          text={`Your QR codes keep working for ${DELETION_DAYS} days, and you can change your mind until then.`}
        >
          <ChangeButton
            call={() => proved('deletion')}
            failed="Failed to delete your account"
            question={{
              title: 'Delete your account?',
              text: <WhatHappens user={user} />,
              stay: 'Keep my account',
              go: 'Delete account',
            }}
            variant="filled"
            color={BAD}
          >
            Delete account
          </ChangeButton>
        </Section>
      )}
    </>
  )
}

function WhatHappens({ user }: { user: User }) {
  const end = formatDay(new Date(Date.now() + DELETION_DAYS * DAY_MS))
  const { name, tier } = plans[user.subscriptionTier]
  const sentences = [
    `Your QR codes keep working for ${DELETION_DAYS} days, until ${end}. After that, visitors see a page that says the code no longer works. No one else ever gets its link.`,
    ...(tier === 'free' ? [] : [`Your ${name} plan won’t renew.`]),
    'Until then you can restore everything: log in and choose “Restore account”.',
    `On ${end}, your codes, scans, pictures, and settings are deleted for good.`,
  ]
  return (
    <>
      <List size="sm" spacing={8}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="md" mb="xs">
        Want to download your links and pictures first?
      </Text>
      <TakeLinks />
    </>
  )
}
