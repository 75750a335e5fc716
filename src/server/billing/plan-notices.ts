import { chargeInCents, plans, type Tier, tiers } from '#contract/billing/plans.ts'
import { DAY_MS } from '#contract/time.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { isEntitled, UNPAID } from './entitlements.ts'
import type { SubscriptionRow } from './subscriptions-store.ts'
import type { PlanNotice } from './types.ts'

/** The mail about a plan's end goes out a week before. If it did not, it goes out in the days after. */
const BEFORE_MS = 7 * DAY_MS
const AFTER_MS = 3 * DAY_MS
/** The mail about a trial's end goes out this long before. */
const BEFORE_TRIAL_END_MS = 3 * DAY_MS

/**
 * Notices on the plans of at most `limit` accounts after one, by account.
 * @param stripeMails whether Stripe mails failed payments
 */
export async function planNotices(
  db: Db,
  part: { now: Date; after: string; limit: number; stripeMails: boolean },
): Promise<PlanNotice[]> {
  const { after, limit, stripeMails } = part
  const at = part.now.getTime()
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    // Leaves out plans that the operator gave.
    .where('provider', 'is not', null)
    .where('workspace_id', '>', after as WorkspaceId)
    .where((row) =>
      row.or([
        ...(stripeMails ? [] : [row('status', 'in', UNPAID)]),
        row.and([
          row('ends_at_period_end', '=', 1),
          row('current_period_end', '>', at),
          row('current_period_end', '<=', at + BEFORE_MS),
        ]),
        row.and([
          row('status', '=', 'trialing'),
          row('current_period_end', '>', at),
          row('current_period_end', '<=', at + BEFORE_TRIAL_END_MS),
        ]),
        // Not by `updated_at`, which each reading of the provider moves.
        row.and([
          row('status', '=', 'canceled'),
          row(row.fn.coalesce('ended_at', 'current_period_end'), '>', at - AFTER_MS),
        ]),
      ]),
    )
    .orderBy('workspace_id')
    .limit(limit)
    .execute()
  return rows.flatMap((row): PlanNotice[] => {
    const { workspace_id: workspaceId, status, subscription_id, current_period_end } = row
    const tier = tiers.find((name) => name === row.tier)
    if (!tier) return []
    const about = `${subscription_id} ${current_period_end}`
    const endsAtTrial = status === 'trialing' && row.ends_at_period_end === 0
    if (endsAtTrial) {
      const next = planAfterTrial(row as SubscriptionRow, tier)
      const endsAt = current_period_end
      return [{ workspaceId, kind: 'plan-ends', about: `trial ${about}`, tier, next, endsAt }]
    }
    if (UNPAID.includes(status) && !stripeMails) {
      // A bill of a higher plan can fail in the period before a renewal does.
      const isRenewal = current_period_end === null || current_period_end <= at
      const failed = isRenewal ? about : `bill ${about}`
      return [{ workspaceId, kind: 'payment-failed', about: failed, tier, endsAt: null }]
    }
    const endsAt = isEntitled(row) ? current_period_end : null
    return [{ workspaceId, kind: 'plan-ends', about, tier, endsAt }]
  })
}

/** The plan that begins when a trial ends, and its charge in cents. */
function planAfterTrial(row: SubscriptionRow, present: Tier) {
  const tier = row.next_tier ?? present
  const billing = row.next_billing ?? row.billing ?? 'monthly'
  return { tier, price: chargeInCents(plans[tier], billing) }
}
