import { type PlanRules, plans, type Tier } from '#contract/plans.ts'

/** What a subscription's stored state entitles to. */
export type Standing = { tier: Tier; status: string }

/** Stripe's subscription statuses under which what was paid for is given; past_due is a grace period. */
const ENTITLED = new Set(['active', 'trialing', 'past_due'])

export function isEntitled({ status }: { status: string }): boolean {
  return ENTITLED.has(status)
}

/** The rules of the plan that counts now: a subscription in any other state counts as free. */
export function entitlements(standing: Standing | undefined): PlanRules & { tier: Tier } {
  const tier = standing && isEntitled(standing) ? standing.tier : 'free'
  const { codeLimit, customPaths, expiryDays } = plans[tier]
  return { tier, codeLimit, customPaths, expiryDays }
}
