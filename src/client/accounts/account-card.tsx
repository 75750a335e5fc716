import { Avatar, Card, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import { plans } from '#contract/billing/plans.ts'
import { Quiet } from '../ui/quiet.tsx'
import { TierBadge } from '../ui/tier-badge.tsx'
import { fullName, initials } from './person.ts'

/** The signed-in user with their plan; `action` stands at the end. */
export function AccountCard({ user, action }: { user: User; action?: ReactNode }) {
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between">
        <Group wrap="nowrap" miw={0}>
          <Avatar src={user.profileImageUrl} size={64} color="verdigris" variant="filled" alt="">
            {initials(user)}
          </Avatar>
          <Stack gap={2} miw={0}>
            <Title order={2}>{fullName(user)}</Title>
            <Quiet>{user.email}</Quiet>
            <Group gap="xs" mt={4}>
              <TierBadge tier={user.subscriptionTier} />
              <Quiet>{plans[user.subscriptionTier].description}</Quiet>
            </Group>
          </Stack>
        </Group>
        {action}
      </Group>
    </Card>
  )
}
