import { plans, type Tier, tiers } from '#contract/billing/plans.ts'
import type { ProvidedSubscription } from './provider.ts'
import type { Entitlements } from './types.ts'

/** Stripe's subscription statuses under which a plan counts; past_due is a grace period. */
const ENTITLED = new Set(['active', 'trialing', 'past_due'])

export function isEntitled({ status }: { status: string }): boolean {
  return ENTITLED.has(status)
}

/** The tier that a row names; free without a row, or if the catalogue does not have it. */
export function tierOf(subscription: { tier: Tier } | undefined): Tier {
  return subscription && Object.hasOwn(plans, subscription.tier) ? subscription.tier : 'free'
}

/** The tier that counts now: free in any state that is not paid. */
export const tierNow = (subscription: { tier: Tier; status: string } | undefined): Tier =>
  subscription && isEntitled(subscription) ? tierOf(subscription) : 'free'

/**
 * The rules of the plan that counts now. The free plan is for a person's own workspace: in another one,
 * nothing can be made without a paid plan.
 */
export function entitlements(
  subscription: { tier: Tier; status: string } | undefined,
  isOwn: boolean,
): Entitlements {
  const plan = plans[tierNow(subscription)]
  return plan.tier === 'free' && !isOwn ? { ...plan, codeLimit: 0 } : plan
}

/** Statuses of a subscription that runs, or can again: a second one beside it would be paid twice. */
const LIVE = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** Whether its first payment was made or its trial began. Before that it does not count. */
export const hasBegun = ({ status }: { status: string }) => !status.startsWith('incomplete')

/** The subscription that a new choice changes, instead of making a second one. */
export function liveSubscription(
  subscriptions: ProvidedSubscription[],
): ProvidedSubscription | undefined {
  return subscriptions.filter(({ status }) => LIVE.has(status)).sort(byWorth)[0]
}

/**
 * The one of a customer's subscriptions that counts for the account: one that entitles before one
 * that does not, the higher plan before the lower, the newer before the older.
 */
export function currentSubscription(
  subscriptions: ProvidedSubscription[],
): ProvidedSubscription | undefined {
  return subscriptions.filter(hasBegun).sort(byWorth)[0]
}

function byWorth(a: ProvidedSubscription, b: ProvidedSubscription): number {
  return worth(b) - worth(a) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

/** 2 and more: entitles, by tier; 1: runs; 0: over. */
function worth({ tier, status }: ProvidedSubscription): number {
  if (isEntitled({ status })) return 2 + tiers.indexOf(tier)
  return LIVE.has(status) ? 1 : 0
}

/** The parts of a subscription that say until when it is paid. Instants are epoch milliseconds. */
export type PaidPeriod = {
  status: string
  periodStart: number
  periodEnd: number
  /** Whether the payment failed that the running or last period began with */
  isUnpaid: boolean
  /** The day that is set for its end, if any; it can lie in a later period */
  cancelAt: number | null
  endedAt: number | null
}

/** Statuses of a subscription whose last payment failed (Stripe's words). */
export const UNPAID = ['past_due', 'unpaid']

/** Whether the last period of a subscription in this status can be one that was not paid. */
export const mayBeUnpaid = (status: string) => UNPAID.includes(status) || status === 'canceled'

/**
 * Until when a subscription is paid, and after its end when it ended. A failed renewal begins a period
 * too, which is not paid: its first day stays, also after the end. Null for a subscription that was never
 * paid, or whose status is not known.
 */
export function paidUntil(subscription: PaidPeriod): number | null {
  const { status, periodStart, periodEnd, isUnpaid, cancelAt, endedAt } = subscription
  const end = isUnpaid ? periodStart : Math.min(periodEnd, cancelAt ?? periodEnd)
  // Stripe ends a plan some seconds after its period.
  if (status === 'canceled') return endedAt === null ? null : Math.min(endedAt, end)
  return isUnpaid || isEntitled({ status }) ? end : null
}

/** Whether a subscription ends before it would renew. */
export function endsInPeriod({ periodEnd, cancelAt }: PaidPeriod): boolean {
  return cancelAt !== null && cancelAt <= periodEnd
}
