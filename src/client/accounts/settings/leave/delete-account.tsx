import { List, Text } from '@mantine/core'
import { type AccountSettings, DELETION_DAYS } from '#contract/account-settings.ts'
import type { User } from '#contract/accounts.ts'
import { plans } from '#contract/plans.ts'
import { DAY_MS } from '#contract/time.ts'
import { formatDay } from '../../../dates.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { BAD } from '../../../ui/theme.ts'
import { useRestoreAccount } from '../../queries.ts'
import { Section } from '../section.tsx'
import { useDeleteAccount } from '../settings-calls.ts'
import { TakeLinks } from './take-links.tsx'

type Props = { user: User; account: AccountSettings }

export function DeleteAccount({ user, account: { deletionAt } }: Props) {
  const [title, text] = deletionAt
    ? [
        `This account will be deleted on ${formatDay(deletionAt)}`,
        'Until then your QR codes keep working. If you restore it, everything stays as it was.',
      ]
    : [
        'Delete account',
        `Your QR codes keep working for ${DELETION_DAYS} days. Until then you can change your mind.`,
      ]
  return (
    <Section title={title} text={text}>
      {deletionAt ? <Restore /> : <Delete user={user} />}
    </Section>
  )
}

function Delete({ user }: { user: User }) {
  const remove = useDeleteAccount()
  const ask = () =>
    confirm({
      title: 'Delete your account?',
      text: <WhatHappens user={user} />,
      stay: 'Keep my account',
      go: 'Delete account',
      onGo: () => remove.mutate(),
    })
  return (
    <BusyButton color={BAD} busy={remove.isPending} busyText="Deleting..." onClick={ask}>
      Delete account
    </BusyButton>
  )
}

function WhatHappens({ user }: { user: User }) {
  const end = formatDay(new Date(Date.now() + DELETION_DAYS * DAY_MS))
  const { name, tier } = plans[user.subscriptionTier]
  const sentences = [
    `Your QR codes keep working for ${DELETION_DAYS} days, until ${end}. Then visitors see a page that says the code has ended, and nobody else gets its link.`,
    ...(tier === 'free' ? [] : [`Your ${name} plan does not renew.`]),
    'Until then you can restore everything: sign in and press “Restore account”.',
    `On ${end} your codes, scans, pictures and settings are deleted for good.`,
  ]
  return (
    <>
      <List size="sm" spacing={8}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      <Text size="sm" mt="md" mb="xs">
        Do you want your links and pictures first?
      </Text>
      <TakeLinks />
    </>
  )
}

function Restore() {
  const restore = useRestoreAccount()
  return (
    <BusyButton busy={restore.isPending} busyText="Restoring..." onClick={() => restore.mutate()}>
      Restore account
    </BusyButton>
  )
}
