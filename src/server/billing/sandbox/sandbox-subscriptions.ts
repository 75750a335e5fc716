import { type Selectable, sql } from 'kysely'
import type { BillingPeriod, PaidTier } from '#contract/plans.ts'
import type { Db, SandboxSubscriptionsTable, Tx } from '../../database/schema.ts'

export type SandboxSubscription = Omit<
  Selectable<SandboxSubscriptionsTable>,
  'tier' | 'billing'
> & { tier: PaidTier; billing: BillingPeriod }

/** All that the customer has or had, the newest first. */
export async function listSubscriptions(db: Db, customerId: string) {
  const rows = await db
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows as SandboxSubscription[]
}

/** The one that goes on; a customer never has two. */
export async function runningSubscription(
  db: Db,
  customerId: string,
): Promise<SandboxSubscription | undefined> {
  return (await listSubscriptions(db, customerId)).find(({ status }) => status !== 'canceled')
}

export async function addSubscription(tx: Tx, row: SandboxSubscription): Promise<void> {
  await tx.insertInto('sandbox_subscriptions').values(row).execute()
}

export async function changeSubscription(
  tx: Tx,
  id: string,
  change: Partial<SandboxSubscription>,
): Promise<void> {
  await tx.updateTable('sandbox_subscriptions').set(change).where('id', '=', id).execute()
}

export async function customerOfSubscription(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sandbox_subscriptions')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.customer_id
}

/** Customers for whom something may be due by their own clocks: a period's end or another attempt. */
export async function dueSandboxCustomers(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sandbox_subscriptions as subscription')
    .innerJoin('sandbox_customers as customer', 'customer.id', 'subscription.customer_id')
    .select('customer.id')
    .where('subscription.status', '!=', 'canceled')
    .where((condition) =>
      condition.or([
        condition('subscription.status', '=', 'past_due'),
        condition(
          'subscription.period_end',
          '<=',
          sql<number>`${now.getTime()} + customer.clock_offset`,
        ),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}
