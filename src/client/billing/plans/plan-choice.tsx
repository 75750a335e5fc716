import { Text } from '@mantine/core'
import type { Subscription } from '#contract/billing.ts'
import { type BillingPeriod, type PaidTier, paidTiers, plans, type Tier } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { useCheckout, usePlanUse } from '../queries.ts'
import { isLower, PlanChanges, planChange } from './plan-change.tsx'
import { PlanGrid } from './plan-grid.tsx'

/** The provider's page comes next: only it knows what is due. */
const NEXT_PAGE = 'You’ll see the exact cost on the next page. Nothing changes until you confirm.'
const FIRST_PAYMENT = 'You pay on the next page. Cancel anytime.'

type Props = {
  current: Tier
  subscription: Subscription | null | undefined
  billing: BillingPeriod
  /** The plan that was chosen on another screen, as the address names it. */
  wanted: string | null
  /** Payments are switched off. */
  off: boolean
}

/** The plans, each with what it would change. The one that was chosen before is marked. A lower one asks first. */
export function PlanChoice({ current, subscription, billing, wanted, off }: Props) {
  const { choose, busyWith } = useCheckout()
  const { data: use = null } = usePlanUse()
  const paysFor = subscription?.tier === current ? subscription.billing : null
  const other = paysFor === 'annual' ? 'monthly' : 'annual'
  const isSwitching = busyWith?.tier === current
  const chosen = paidTiers.find((tier) => tier === wanted && tier !== current && !off)
  const changesOf = (tier: PaidTier) => planChange({ from: current, to: tier, use })
  const askToLower = (tier: PaidTier) =>
    confirm({
      title: `Change to ${plans[tier].name}?`,
      text: <PlanChanges from={current} to={tier} further={NEXT_PAGE} />,
      stay: `Keep ${plans[current].name}`,
      go: 'Continue',
      grave: false,
      onGo: () => choose({ tier, billing }),
    })
  const underCurrent = paysFor && !off && (
    <BusyButton
      variant="subtle"
      disabled={busyWith !== null && !isSwitching}
      busy={isSwitching}
      busyText="Creating..."
      onClick={() => choose({ tier: current as PaidTier, billing: other })}
    >
      {`Switch to ${other} billing`}
    </BusyButton>
  )
  const underChosen = (
    <Text size="sm" c="dimmed" ta="center">
      {paysFor === null ? FIRST_PAYMENT : NEXT_PAGE}
    </Text>
  )
  return (
    <PlanGrid
      current={current}
      chosen={chosen}
      billing={billing}
      list="subscription"
      busyWith={busyWith?.tier}
      off={off}
      changesOf={(tier) => (off || isLower(tier, current) ? [] : changesOf(tier))}
      under={(tier) => (tier === current ? underCurrent : tier === chosen && underChosen)}
      onChoose={(tier) => (isLower(tier, current) ? askToLower(tier) : choose({ tier, billing }))}
    />
  )
}
