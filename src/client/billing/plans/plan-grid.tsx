import { Alert, Badge, Group, SegmentedControl, SimpleGrid } from '@mantine/core'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type BillingPeriod,
  billingPeriods,
  type PaidTier,
  paidTiers,
  plans,
  type Tier,
} from '#contract/plans.ts'
import { GOOD } from '../../ui/theme/theme.ts'
import { PlanCard } from './plan-card.tsx'
import { isLower } from './plan-change.tsx'

type Props = {
  current: Tier
  /** The plan that was chosen on another screen. */
  chosen?: PaidTier | undefined
  billing: BillingPeriod
  list: 'profile' | 'subscription'
  busyWith?: Tier | null
  /** Payments are switched off. */
  off: boolean
  /** The changes that a plan brings this person, a sentence each. */
  changesOf?: (tier: PaidTier) => string[]
  /** A further action or note below a plan's button. */
  under?: (tier: PaidTier) => ReactNode
  onChoose: (tier: PaidTier) => void
}

export function PlanGrid({ current, billing, list, busyWith = null, off, ...rest }: Props) {
  const { chosen, changesOf, under, onChoose } = rest
  // The chosen or the current plan stands out, not the recommended one.
  const outstanding = chosen ?? paidTiers.find((tier) => tier === current)
  return (
    <>
      {off && <PaymentsOff />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} verticalSpacing="lg">
        {paidTiers.map((tier) => (
          <PlanCard
            key={tier}
            plan={plans[tier]}
            billing={billing}
            features={plans[tier].features[list]}
            changes={changesOf?.(tier) ?? []}
            highlighted={outstanding ? tier === outstanding : plans[tier].popular}
            primary={chosen ? tier === chosen : plans[tier].popular && !isLower(tier, current)}
            isChosen={tier === chosen}
            isCurrent={tier === current}
            busy={tier === busyWith}
            disabled={off || busyWith !== null}
            under={under?.(tier)}
            onChoose={() => onChoose(tier)}
          />
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
