import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { CANCELING, type Subscription } from '#contract/billing/billing.ts'
import { FREE_EXPIRY_DAYS, plans, type Tier, UNLIMITED } from '#contract/billing/plans.ts'
import { formatDay } from '../../formats.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { useMay } from '../../workspace.ts'
import styles from '../billing.module.css'
import { StatusBadge } from '../status-badge.tsx'
import { AlsoIncluded, Features } from './plan-card.tsx'
import { limitNote, needsWarning, usagePercent } from './usage.ts'

type Props = {
  subscription: Subscription
  /** The plan in force: not that of a lapsed subscription. */
  tier: Tier
  onUpgrade: () => void
}

export function SubscriptionStatus({ subscription, tier, onUpgrade }: Props) {
  const { status, currentPeriodEnd, previousTier, qrCodeCount, qrCodeLimit } = subscription
  const mayPay = useMay('POST /api/create-checkout-session')
  const isActive = status === 'active'
  const percent = usagePercent(subscription)
  // Near the limit and beyond it, the bar and a note warn in one colour.
  const warns = needsWarning({ ...subscription, tier })
  const note = limitNote({ ...subscription, tier })
  return (
    <Card withBorder padding="lg">
      <Stack h="100%">
        <Title order={3}>Subscription Status</Title>
        <Group justify="space-between">
          <StatusBadge
            kind={isActive ? 'good' : status === CANCELING ? 'warning' : 'bad'}
            size="lg"
          >
            {isActive ? 'Active' : status}
          </StatusBadge>
          {currentPeriodEnd && (
            <Quiet>
              {isActive ? 'Renews on' : 'Expires on'} {formatDay(currentPeriodEnd)}
            </Quiet>
          )}
        </Group>
        {previousTier && (
          <Text size="sm">
            Your {plans[previousTier].name} plan has ended, so you’re on Free now. The codes you
            created on it keep working.
          </Text>
        )}
        <Group justify="space-between">
          <Text size="sm">QR codes</Text>
          <Text size="sm" fw={600}>
            {qrCodeCount} / {qrCodeLimit === UNLIMITED ? '∞' : qrCodeLimit}
          </Text>
        </Group>
        {percent !== null && (
          <Progress
            value={percent}
            color={warns || note ? 'var(--doubtful)' : undefined}
            aria-label="QR codes used"
          />
        )}
        {warns && (
          <div className={styles.note} role="note">
            ⚠️ You're approaching your QR code limit. Consider upgrading for more codes.
          </div>
        )}
        {note && <Text size="sm">{note}</Text>}
        {tier !== 'unlimited' && mayPay && (
          <Button mt="auto" onClick={onUpgrade}>
            Upgrade Plan
          </Button>
        )}
      </Stack>
    </Card>
  )
}

type FeaturesProps = { tier: Tier; onViewPlans: () => void }

/** The features of the plan in force. */
export function PlanFeatures({ tier, onViewPlans }: FeaturesProps) {
  const mayPay = useMay('POST /api/create-checkout-session')
  return (
    <Card withBorder padding="lg">
      <Stack h="100%">
        <Title order={3}>Current Plan Features</Title>
        <Features spacing={8} features={plans[tier].features.profile} />
        <AlsoIncluded tier={tier} />
        {plans[tier].expiryDays !== null && (
          <Quiet>
            Codes stop working {FREE_EXPIRY_DAYS} days after you first save them. Upgrade anytime to
            keep them working.
          </Quiet>
        )}
        {tier !== 'unlimited' && mayPay && (
          <PlainButton onClick={onViewPlans}>View Plans</PlainButton>
        )}
      </Stack>
    </Card>
  )
}
