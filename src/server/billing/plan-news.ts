import type { BillingPeriod, Tier } from '#contract/plans.ts'
import { entitlements } from './entitlements.ts'
import type { SubscriptionRow } from './subscriptions-store.ts'

/** A plan as webhooks tell it. `tier` is the one that counts now, `plan` the one that was bought. */
export type PlanNews = {
  tier: Tier
  plan: Tier
  status: string
  billing: BillingPeriod | null
  currentPeriodEnd: string | null
  endsAtPeriodEnd: boolean
}

export function planNews(row: SubscriptionRow | undefined): PlanNews {
  const end = row?.current_period_end ?? null
  return {
    tier: entitlements(row).tier,
    plan: row?.tier ?? 'free',
    status: row?.status ?? 'active',
    billing: row?.billing ?? null,
    currentPeriodEnd: end === null ? null : new Date(end).toISOString(),
    endsAtPeriodEnd: row?.ends_at_period_end === 1,
  }
}
