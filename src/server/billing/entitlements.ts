import { type PlanRules, plans, type Tier } from '#contract/plans.ts'

/** What a subscription's stored state entitles to. */
export type Standing = { tier: Tier; status: string }

/** Stripe's subscription statuses under which what was paid for is given; past_due is a grace period. */
const ENTITLED = new Set(['active', 'trialing', 'past_due'])

export function isEntitled({ status }: { status: string }): boolean {
  return ENTITLED.has(status)
}

/** The rules of the plan that counts now. In any other state, or on a tier that is not in the catalogue, it is the free one. */
export function entitlements(standing: Standing | undefined): PlanRules & { tier: Tier } {
  const isCounted = standing && isEntitled(standing) && Object.hasOwn(plans, standing.tier)
  const tier = isCounted ? standing.tier : 'free'
  const { codeLimit, customPaths, expiryDays } = plans[tier]
  return { tier, codeLimit, customPaths, expiryDays }
}
