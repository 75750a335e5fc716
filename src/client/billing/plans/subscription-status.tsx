import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { CANCELING, type Subscription } from '#contract/billing.ts'
import type { Tier } from '#contract/plans.ts'
import { formatDay } from '../../ui/formats.ts'
import { StatusBadge } from '../status-badge.tsx'
import { LimitUsage } from './limit-usage.tsx'

type Props = {
  subscription: Subscription
  /** The plan in force, which a lapsed subscription's is not. */
  tier: Tier
  onUpgrade: () => void
}

export function SubscriptionStatus({ subscription, tier, onUpgrade }: Props) {
  const { status, currentPeriodEnd } = subscription
  const isActive = status === 'active'
  return (
    <Card withBorder padding="lg">
      <Stack h="100%">
        <Title order={3} size="h4">
          Subscription Status
        </Title>
        <Group justify="space-between">
          <StatusBadge
            standing={isActive ? 'well' : status === CANCELING ? 'doubtful' : 'bad'}
            size="lg"
          >
            {isActive ? 'Active' : status}
          </StatusBadge>
          {currentPeriodEnd && (
            <Text size="sm" c="dimmed">
              {isActive ? 'Renews on' : 'Expires on'} {formatDay(currentPeriodEnd)}
            </Text>
          )}
        </Group>
        <LimitUsage subscription={subscription} tier={tier} />
        {tier !== 'unlimited' && (
          <Button mt="auto" onClick={onUpgrade}>
            Upgrade Plan
          </Button>
        )}
      </Stack>
    </Card>
  )
}
