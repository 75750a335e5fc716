import { Alert, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { CANCELING, type Subscription } from '#contract/billing.ts'
import type { Tier } from '#contract/plans.ts'
import { formatDay } from '../ui/dates.ts'
import { StatusBadge } from './status-badge.tsx'
import { limitText, needsWarning, usagePercent } from './usage.ts'

type Props = {
  subscription: Subscription
  /** The plan in force, which a lapsed subscription's is not. */
  tier: Tier
  onUpgrade: () => void
}

export function SubscriptionStatus({ subscription, tier, onUpgrade }: Props) {
  const { status, qrCodeCount, qrCodeLimit, currentPeriodEnd } = subscription
  const isActive = status === 'active'
  const percent = usagePercent(subscription)
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
        <Group justify="space-between">
          <Text size="sm">QR codes</Text>
          <Text size="sm" fw={600}>
            {qrCodeCount} / {limitText(qrCodeLimit)}
          </Text>
        </Group>
        {percent !== null && <Progress value={percent} aria-label="QR codes used" />}
        {needsWarning({ ...subscription, tier }) && (
          <Alert color="yellow" variant="outline">
            ⚠️ You're approaching your QR code limit. Consider upgrading for more codes.
          </Alert>
        )}
        {tier !== 'unlimited' && (
          <Button mt="auto" onClick={onUpgrade}>
            Upgrade Plan
          </Button>
        )}
      </Stack>
    </Card>
  )
}
