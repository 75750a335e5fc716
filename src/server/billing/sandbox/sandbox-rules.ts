import { DateTime } from 'luxon'
import { type BillingPeriod, chargeInCents, plans } from '#contract/plans.ts'
import type { TestCard, TestClockStep } from '#contract/sandbox.ts'
import type { Choice } from '../provider.ts'
import type { SandboxSubscription } from './sandbox-store.ts'

/** Whether a card pays renewals: one that the bank asked about needs no second confirmation, as with Stripe. */
export const paysAgain = (card: TestCard | null) => card === 'pays' || card === 'asks'

/** No plan waits for the next period. */
export const NO_CHANGE = { next_tier: null, next_billing: null }

type Period = Pick<SandboxSubscription, 'anchor_at' | 'period_start' | 'period_end'>

/** Months that one charge pays for. */
const MONTHS: Record<BillingPeriod, number> = { monthly: 1, annual: 12 }

const utc = (instant: number) => DateTime.fromMillis(instant, { zone: 'utc' })

/** The amount of one charge, in cents. */
export const priceOf = ({ tier, billing }: Choice) => chargeInCents(plans[tier], billing)

/** A period that begins now. */
export function periodFrom(now: number, { billing }: Choice): Period {
  return { anchor_at: now, period_start: now, period_end: periodEndAfter(now, billing, now) }
}

/**
 * The first end of a period after an instant. Counted from the anchor, not from the last end: a plan
 * that begins on January 31 is paid to February 28, and then to March 31.
 */
export function periodEndAfter(anchor: number, billing: BillingPeriod, after: number): number {
  const months = MONTHS[billing]
  const gone = utc(after).diff(utc(anchor), 'months').months
  for (let periods = Math.max(1, Math.floor(gone / months)); ; periods++) {
    const end = utc(anchor)
      .plus({ months: months * periods })
      .toMillis()
    if (end > after) return end
  }
}

/** A price that falls, or a year that becomes months, waits for the end of the paid period, as with Stripe. */
function isLater(current: Choice, choice: Choice): boolean {
  if (choice.billing !== current.billing) return choice.billing === 'monthly'
  return priceOf(choice) < priceOf(current)
}

/**
 * The cost of a change of plan now, in cents, and the end of the paid period if it waits for that. At once it
 * begins a period of the new plan: its price, less the unused part of the old period, is due.
 */
export function changeCost(
  current: Choice & Period,
  choice: Choice,
  now: number,
): { unused: number; due: number; waitsUntil: number | null } {
  const { period_start, period_end } = current
  if (isLater(current, choice)) return { unused: 0, due: 0, waitsUntil: period_end }
  const share = (period_end - now) / (period_end - period_start)
  const unused = Math.round(priceOf(current) * Math.min(1, Math.max(0, share)))
  return { unused, due: priceOf(choice) - unused, waitsUntil: null }
}

/** A renewed subscription, with the plan that waited for it. The new period begins even if it is not paid, as with Stripe. */
export function renewal(
  { anchor_at, period_end, ...plan }: SandboxSubscription,
  isPaid: boolean,
): Partial<SandboxSubscription> & Choice {
  const [tier, billing] = [plan.next_tier ?? plan.tier, plan.next_billing ?? plan.billing]
  return {
    tier,
    billing,
    ...NO_CHANGE,
    status: isPaid ? 'active' : 'past_due',
    period_start: period_end,
    period_end: periodEndAfter(anchor_at, billing, period_end),
  }
}

/** Where the test clock stands after a step; `periodEnd` is that of the subscription. */
export function clockAfter(now: number, step: TestClockStep, periodEnd: number): number {
  if (step === 'period') return Math.max(now, periodEnd)
  return utc(now)
    .plus(step === 'month' ? { months: 1 } : { years: 1 })
    .toMillis()
}
