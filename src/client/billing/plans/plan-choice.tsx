import { List, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import { CANCELING, type CheckoutRequest, type Subscription } from '#contract/billing/billing.ts'
import {
  type BillingPeriod,
  type PaidTier,
  paidTiers,
  plans,
  type Tier,
} from '#contract/billing/plans.ts'
import { formatDay } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { useCheckout } from '../calls.ts'
import { usePlanUse } from '../queries.ts'
import { ChangeEffects, NEXT_PAGE } from './change-cost.tsx'
import { isLower, PlanChanges, PlannedChange, planChange } from './plan-change.tsx'
import { PlanGrid } from './plan-grid.tsx'
import { comingEnd } from './usage.ts'

/** The state of a history entry that leads from a choice of a plan to its payment, without a second choice. */
export const PAY_CHOSEN = { pay: true }

/** True of a free trial, too. */
const FIRST_PAYMENT = 'You confirm on the next page. Cancel anytime.'

type Props = {
  current: Tier
  subscription: Subscription | null | undefined
  billing: BillingPeriod
  /** The plan that was chosen on another screen, as the address names it. */
  wanted: string | null
  /** Payments are switched off. */
  off: boolean
  /** Stripe takes the payments: a change of a paid plan asks first, with its cost. */
  isStripe: boolean
}

/** The plans, each with what it would change. The one that was chosen before is marked. A lower one asks first. */
export function PlanChoice({ current, subscription, billing, wanted, off, isStripe }: Props) {
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  const { go: choose, busyWith } = useCheckout()
  const { data: use = null } = usePlanUse()
  // A former owner has paid for this one, and the new owner may buy it.
  const isTaken = subscription?.status === CANCELING && subscription.billing === null
  const paysFor = subscription?.tier === current ? subscription.billing : null
  const other = paysFor === 'annual' ? 'monthly' : 'annual'
  const isSwitching = busyWith?.tier === current
  const chosen = paidTiers.find((tier) => tier === wanted && tier !== current && !off)
  const changesOf = (tier: PaidTier) => planChange({ from: current, to: tier, use })
  const next = subscription?.next
  // A plan whose renewal failed is paid first.
  const paidUntil = paysFor && subscription && comingEnd(subscription, new Date())
  const running = isStripe && paidUntil && !subscription.unpaid ? subscription : null
  const select = (choice: CheckoutRequest) => {
    const { tier } = choice
    const isPlanned = next?.tier === tier && next.billing === choice.billing
    if (isPlanned || !(running || isLower(tier, current))) return choose(choice)
    const isSwitch = tier === current
    confirm({
      title: isSwitch ? `Switch to ${choice.billing} billing?` : `Change to ${plans[tier].name}?`,
      text: running ? (
        <ChangeEffects subscription={running} to={choice} />
      ) : (
        <PlanChanges from={current} to={tier}>
          <List.Item>{NEXT_PAGE}</List.Item>
        </PlanChanges>
      ),
      stay: isSwitch ? `Keep ${paysFor} billing` : `Keep ${plans[current].name}`,
      go: 'Continue',
      grave: false,
      onGo: () => choose(choice),
    })
  }
  const payChosen = useEffectEvent(() => {
    if (window.history.state?.pay !== PAY_CHOSEN.pay || !chosen) return
    // Back leads here again, and then shows the plans.
    window.history.replaceState(null, '')
    select({ tier: chosen, billing })
  })
  useEffect(() => payChosen(), [])
  const underCurrent = paysFor && !off && (
    <BusyButton
      variant="subtle"
      disabled={busyWith !== undefined && !isSwitching}
      busy={isSwitching}
      busyText="Creating..."
      onClick={() => select({ tier: current as PaidTier, billing: other })}
    >
      {`Switch to ${other} billing`}
    </BusyButton>
  )
  const underChosen = <Quiet ta="center">{paysFor === null ? FIRST_PAYMENT : NEXT_PAGE}</Quiet>
  return (
    <Stack gap="lg" role="group" aria-label="Plans" ref={area} tabIndex={-1}>
      {next && <PlannedChange next={next} />}
      {isTaken && subscription.currentPeriodEnd && (
        <Text>
          {plans[current].name} is paid for until {formatDay(subscription.currentPeriodEnd)}. If you
          choose a plan before then, it starts right away and replaces it.
        </Text>
      )}
      <PlanGrid
        current={isTaken ? 'free' : current}
        chosen={chosen}
        billing={billing}
        list="subscription"
        busyWith={busyWith?.tier}
        off={off}
        changesOf={(tier) => (off || isLower(tier, current) ? [] : changesOf(tier))}
        under={(tier) => (tier === current ? underCurrent : tier === chosen && underChosen)}
        onChoose={(tier) => select({ tier, billing })}
      />
    </Stack>
  )
}
