import type { Selectable } from 'kysely'
import type { BillingPeriod, PaidTier, PlanRules, Tier } from '#contract/billing/plans.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { entitlements } from './entitlements.ts'
import type { EntitlementsOf } from './types.ts'

type Row = Selectable<Tables['subscriptions']>
type Named = 'tier' | 'billing' | 'next_tier' | 'next_billing'

/** `next_…` is the change that the provider plans: its tier, billing and instant, or three nulls. */
export type SubscriptionRow = Omit<Row, Named> & {
  tier: Tier
  billing: BillingPeriod | null
  next_tier: PaidTier | null
  next_billing: BillingPeriod | null
}

/** The account's subscription; undefined if it never had one. */
export async function findSubscription(
  db: Db,
  workspaceId: WorkspaceId,
): Promise<SubscriptionRow | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row as SubscriptionRow | undefined
}

export const entitlementsOf: EntitlementsOf = async (db, workspaceId) => {
  const found = await db
    .selectFrom('workspaces')
    .leftJoin('subscriptions', 'subscriptions.workspace_id', 'workspaces.id')
    .select(['is_own', 'tier', 'status'])
    .where('workspaces.id', '=', workspaceId)
    .executeTakeFirst()
  const { tier, status, is_own } = found ?? {}
  const row = tier && status ? { tier: tier as Tier, status } : undefined
  return entitlements(row, is_own === 1)
}

/** A plan that the operator gives for free. Instants are epoch milliseconds. */
export function givenPlan(plan: {
  workspaceId: WorkspaceId
  tier: Tier
  status?: string
  until: number
  at: number
}): SubscriptionRow {
  return {
    workspace_id: plan.workspaceId,
    provider: null,
    subscription_id: null,
    tier: plan.tier,
    billing: null,
    status: plan.status ?? 'active',
    current_period_end: plan.until,
    ends_at_period_end: 0,
    ended_at: null,
    next_tier: null,
    next_billing: null,
    next_at: null,
    updated_at: plan.at,
    discount: null,
  }
}

/** Applies a plan to the account's codes; answers the names whose redirect changes with it. */
export type OnPlanChanged = (tx: Tx, workspaceId: WorkspaceId, plan: PlanRules) => Promise<string[]>

/** Records the account's subscription; answers the names to announce after the commit. */
export async function saveSubscription(
  tx: Tx,
  row: SubscriptionRow,
  onPlanChanged: OnPlanChanged,
): Promise<string[]> {
  await tx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(row))
    .execute()
  return onPlanChanged(tx, row.workspace_id, await entitlementsOf(tx, row.workspace_id))
}

/** Removes the plan of an account at this provider: a plan that the operator gave stays. */
export async function removeSubscription(
  tx: Tx,
  workspaceId: WorkspaceId,
  provider: string,
): Promise<void> {
  await tx
    .deleteFrom('subscriptions')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .execute()
}

/**
 * Ends plans that were bought with test cards once real payments are taken. Never the other way
 * round: a start without Stripe's key takes nothing from accounts that have paid.
 */
export async function endTestSubscriptions(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set({ status: 'canceled', updated_at: now.getTime() })
    .where('provider', '=', 'sandbox')
    .where('status', '!=', 'canceled')
    .execute()
}
