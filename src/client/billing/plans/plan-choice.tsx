import { useState } from 'react'
import type { CheckoutRequest, Subscription } from '#contract/billing.ts'
import { type BillingPeriod, type PaidTier, plans, type Tier } from '#contract/plans.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCheckout, usePlanUse } from '../queries.ts'
import { isLower, planChange } from './plan-change.ts'
import { PlanGrid } from './plan-grid.tsx'
import { PlanQuestion } from './plan-question.tsx'

/** The provider's page comes next: only it knows what is due. */
const NEXT_PAGE = 'The next page shows what it costs. Nothing changes before you agree there.'

type Props = {
  current: Tier
  subscription: Subscription | null | undefined
  billing: BillingPeriod
  wanted: string | null
  /** Payments are switched off. */
  off: boolean
}

/** The plans, each with what it would change. A lower one asks first. */
export function PlanChoice({ current, subscription, billing, wanted, off }: Props) {
  const { choose, busyWith } = useCheckout()
  const { data: use = null } = usePlanUse()
  const [asked, setAsked] = useState<PaidTier | null>(null)
  const changesTo = (to: Tier) => planChange({ from: current, to, use })
  const paysFor = subscription?.tier === current ? subscription.billing : null
  const other = paysFor === 'annual' ? 'monthly' : 'annual'
  const isSwitching = busyWith?.tier === current
  return (
    <>
      <PlanGrid
        current={current}
        billing={billing}
        list="subscription"
        wanted={wanted}
        busyWith={busyWith?.tier}
        off={off}
        changesOf={(tier) => (off || isLower(tier, current) ? [] : changesTo(tier))}
        underCurrent={
          paysFor &&
          !off && (
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
        }
        onChoose={(tier) => (isLower(tier, current) ? setAsked(tier) : choose({ tier, billing }))}
      />
      <Question
        current={current}
        asked={asked && { tier: asked, billing }}
        sentences={asked ? [...changesTo(asked), NEXT_PAGE] : []}
        onStay={() => setAsked(null)}
        onGo={(choice) => {
          setAsked(null)
          choose(choice)
        }}
      />
    </>
  )
}

type QuestionProps = {
  current: Tier
  asked: CheckoutRequest | null
  sentences: string[]
  onStay: () => void
  onGo: (choice: CheckoutRequest) => void
}

function Question({ current, asked, sentences, onStay, onGo }: QuestionProps) {
  return (
    <PlanQuestion
      opened={asked !== null}
      title={asked ? `Change to ${plans[asked.tier].name}?` : ''}
      sentences={sentences}
      stay={`Keep ${plans[current].name}`}
      go="Continue"
      onStay={onStay}
      onGo={() => asked && onGo(asked)}
    />
  )
}
