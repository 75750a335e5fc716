import { type PlanRules, plans, type Tier } from '#contract/plans.ts'

/** Stripe's subscription statuses under which a plan counts; past_due is a grace period. */
const ENTITLED = new Set(['active', 'trialing', 'past_due'])

export function isEntitled({ status }: { status: string }): boolean {
  return ENTITLED.has(status)
}

/** The rules of the plan that counts now: the free plan in any other state, or if the tier is unknown. */
export function entitlements(
  subscription: { tier: Tier; status: string } | undefined,
): PlanRules & { tier: Tier } {
  const isCounted =
    subscription && isEntitled(subscription) && Object.hasOwn(plans, subscription.tier)
  const tier = isCounted ? subscription.tier : 'free'
  const { codeLimit, customPaths, expiryDays } = plans[tier]
  return { tier, codeLimit, customPaths, expiryDays }
}
