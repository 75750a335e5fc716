import { tiers } from '#contract/plans.ts'
import { isEntitled } from './entitlements.ts'
import type { ProvidedSubscription } from './provider.ts'

/** Statuses of a subscription that runs, or can again: a second one beside it would be paid twice. */
const LIVE = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** What a first payment that was never made leaves behind. */
const NEVER_BEGUN = 'incomplete_expired'

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
  return subscriptions.filter(({ status }) => status !== NEVER_BEGUN).sort(byWorth)[0]
}

function byWorth(a: ProvidedSubscription, b: ProvidedSubscription): number {
  return worth(b) - worth(a) || b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
}

/** 2 and more: entitles, by tier; 1: runs; 0: over, or never paid. */
function worth({ tier, status }: ProvidedSubscription): number {
  if (isEntitled({ status })) return 2 + tiers.indexOf(tier)
  return LIVE.has(status) ? 1 : 0
}
