import { type PlanRules, plans, type Tier } from '#contract/plans.ts'

/** Stripe's subscription statuses under which a plan counts; past_due is a grace period. */
const ENTITLED = new Set(['active', 'trialing', 'past_due'])

export function isEntitled({ status }: { status: string }): boolean {
  return ENTITLED.has(status)
}

/** The tier that a row names; free without a row, or if the catalogue does not have it. */
export function tierOf(subscription: { tier: Tier } | undefined): Tier {
  return subscription && Object.hasOwn(plans, subscription.tier) ? subscription.tier : 'free'
}

/** The rules of the plan that counts now: the free plan in any other state. */
export function entitlements(
  subscription: { tier: Tier; status: string } | undefined,
): PlanRules & { tier: Tier } {
  const tier = subscription && isEntitled(subscription) ? tierOf(subscription) : 'free'
  const { codeLimit, customPaths, hasArtwork, hasApi, expiryDays } = plans[tier]
  return { tier, codeLimit, customPaths, hasArtwork, hasApi, expiryDays }
}
