import {
  Alert,
  Anchor,
  Badge,
  Group,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { Info } from 'lucide-react'
import { useState } from 'react'
import {
  type BillingPeriod,
  billingPeriods,
  type PaidTier,
  paidTiers,
  type Tier,
} from '#contract/billing/plans.ts'
import { GOOD } from '../../ui/theme/theme.ts'
import { PlanCard, type PlansProps } from './plan-card.tsx'

export function PlanGrid(props: PlansProps) {
  return (
    <>
      {props.off && <PaymentsOff />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} verticalSpacing="lg">
        {paidTiers.map((tier) => (
          <PlanCard key={tier} tier={tier} {...props} />
        ))}
      </SimpleGrid>
    </>
  )
}

/** A notice, not an alarm: quieter than the plans below it. */
const QUIET = {
  root: { borderColor: 'var(--line)', background: 'var(--tint)' },
  title: { color: 'var(--text)' },
  icon: { color: 'var(--text)' },
}

/** Said before the choice, because a refusal after the click would be hard to understand. */
function PaymentsOff() {
  return (
    <Alert
      variant="outline"
      title="Plans aren’t for sale here"
      icon={<Info aria-hidden />}
      styles={QUIET}
      role="note"
    >
      Payments are switched off on this server. You can compare the plans, but you can’t choose one.
    </Alert>
  )
}

const labels: Record<BillingPeriod, string> = { monthly: 'Monthly', annual: 'Annual' }

type ToggleProps = { value: BillingPeriod; onChange: (billing: BillingPeriod) => void }

export function BillingToggle({ value, onChange }: ToggleProps) {
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label="Billing period"
        withItemsBorders={false}
        value={value}
        onChange={(billing) => onChange(billing as BillingPeriod)}
        data={billingPeriods.map((period) => ({ value: period, label: labels[period] }))}
      />
      <Badge color={GOOD} tt="none" size="lg">
        Save 20%
      </Badge>
    </Group>
  )
}

type Props = {
  current: Tier
  /** Payments are switched off. */
  off: boolean
  onBack: () => void
  onChoose: (tier: PaidTier, billing: BillingPeriod) => void
}

/** The profile's chooser. The payment is made on the subscription screen. */
export function PlanChooser({ current, off, onBack, onChoose }: Props) {
  const [billing, setBilling] = useState<BillingPeriod>('annual')
  return (
    <Stack gap="lg">
      <div>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          ← Back to Profile
        </Anchor>
      </div>
      <Group justify="space-between" align="center">
        <div>
          <Title>Choose Your Plan</Title>
          <Text c="dimmed">Upgrade your subscription to unlock more features</Text>
        </div>
        <BillingToggle value={billing} onChange={setBilling} />
      </Group>
      <PlanGrid
        current={current}
        off={off}
        billing={billing}
        list="profile"
        onChoose={(tier) => onChoose(tier, billing)}
      />
    </Stack>
  )
}
