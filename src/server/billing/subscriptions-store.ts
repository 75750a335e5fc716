import type { Selectable } from 'kysely'
import type { PlanRules, Tier } from '#contract/plans.ts'
import type { Db, SubscriptionsTable, Tx } from '../database/schema.ts'
import { entitlements } from './entitlements.ts'

export type SubscriptionRow = Omit<Selectable<SubscriptionsTable>, 'tier'> & { tier: Tier }

/** The account's subscription; undefined for one that never had any. */
export async function findSubscription(
  db: Db,
  userId: string,
): Promise<SubscriptionRow | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row as SubscriptionRow | undefined
}

/** What the account may do now, by its plan. */
export async function entitlementsOf(db: Db, userId: string) {
  return entitlements(await findSubscription(db, userId))
}

/** Lets a plan take effect on the account's codes; answers the names whose redirect changes with it. */
export type OnPlanChanged = (tx: Tx, userId: string, plan: PlanRules) => Promise<string[]>

/** Records the account's subscription; answers the names to announce after the commit. */
export async function saveSubscription(
  tx: Tx,
  row: SubscriptionRow,
  onPlanChanged: OnPlanChanged,
): Promise<string[]> {
  await tx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
  return onPlanChanged(tx, row.user_id, entitlements(row))
}
