import { chargeInCents, plans } from '#contract/plans.ts'
import type { Choice } from '../provider.ts'
import { periodEndAfter } from './periods.ts'
import type { SandboxSubscription } from './sandbox-subscriptions.ts'

type Paid = Choice & Pick<SandboxSubscription, 'anchor_at' | 'period_start' | 'period_end'>

/**
 * What a change of plan costs, in cents: `charge` for the new plan, less `unused` of the old one
 * and the customer's `credit`. What is left over pays the next invoices.
 */
export type Proration = {
  charge: number
  unused: number
  credit: number
  due: number
  creditLeft: number
  period: Pick<SandboxSubscription, 'anchor_at' | 'period_start' | 'period_end'>
}

export const priceOf = ({ tier, billing }: Choice) => chargeInCents(plans[tier], billing)

/** What the card pays of an amount, and what credit remains. */
export function afterCredit(amount: number, credit: number): { due: number; creditLeft: number } {
  const rest = amount - credit
  return { due: Math.max(0, rest), creditLeft: Math.max(0, -rest) }
}

/**
 * A plan that is billed alike takes over the period for the days that are left; another billing
 * begins a period of its own.
 */
export function prorate(paid: Paid, choice: Choice, now: number, credit: number): Proration {
  const left = shareLeft(paid, now)
  const unused = Math.round(priceOf(paid) * left)
  const isSamePeriod = paid.billing === choice.billing
  const charge = isSamePeriod ? Math.round(priceOf(choice) * left) : priceOf(choice)
  const { anchor_at, period_start, period_end } = paid
  const period = isSamePeriod ? { anchor_at, period_start, period_end } : periodFrom(now, choice)
  return { charge, unused, credit, period, ...afterCredit(charge - unused, credit) }
}

export function periodFrom(now: number, { billing }: Choice): Proration['period'] {
  return { anchor_at: now, period_start: now, period_end: periodEndAfter(now, billing, now) }
}

function shareLeft({ period_start, period_end }: Paid, now: number): number {
  const share = (period_end - now) / (period_end - period_start)
  return Math.min(1, Math.max(0, share))
}
