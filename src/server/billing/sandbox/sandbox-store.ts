import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { INVOICES_MAX } from '#contract/billing.ts'
import type { BillingPeriod, PaidTier } from '#contract/plans.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import type { Choice } from '../provider.ts'

export type SandboxCustomer = Selectable<Tables['sandbox_customers']>

export type SandboxSubscription = Omit<
  Selectable<Tables['sandbox_subscriptions']>,
  'tier' | 'billing' | 'next_tier' | 'next_billing'
> &
  Choice & { next_tier: PaidTier | null; next_billing: BillingPeriod | null }

/** The id of the account's customer, who is made if there is none. */
export async function ensureCustomer(db: Db, workspaceId: WorkspaceId): Promise<string> {
  const row = await db
    .insertInto('sandbox_customers')
    .values({ id: `cus_test_${randomUUID()}`, workspace_id: workspaceId, card: null })
    .onConflict((conflict) =>
      conflict
        .column('workspace_id')
        .doUpdateSet((now) => ({ id: now.ref('sandbox_customers.id') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function findSandboxCustomer(
  db: Db,
  id: string,
): Promise<SandboxCustomer | undefined> {
  return db.selectFrom('sandbox_customers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Forgets an account's customer with all that belongs to it. */
export async function removeCustomerOf(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  const customer = tx
    .selectFrom('sandbox_customers')
    .select('id')
    .where('workspace_id', '=', workspaceId)
  for (const table of [
    'sandbox_events',
    'sandbox_sessions',
    'sandbox_invoices',
    'sandbox_subscriptions',
  ] as const) {
    await tx.deleteFrom(table).where('customer_id', 'in', customer).execute()
  }
  await tx.deleteFrom('sandbox_customers').where('workspace_id', '=', workspaceId).execute()
}

/** Locks a customer until the transaction ends: changes to one customer take turns. */
export async function lockCustomer(tx: Tx, id: string): Promise<SandboxCustomer | undefined> {
  return tx
    .updateTable('sandbox_customers')
    .set((now) => ({ clock_offset: now.ref('clock_offset') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function changeCustomer(
  tx: Tx,
  id: string,
  change: Partial<Pick<SandboxCustomer, 'card' | 'clock_offset'>>,
): Promise<void> {
  await tx.updateTable('sandbox_customers').set(change).where('id', '=', id).execute()
}

/** Customers with a period that is over: their subscription is to be renewed or ended. */
export async function dueCustomers(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('sandbox_subscriptions as subscription')
    .innerJoin('sandbox_customers as customer', 'customer.id', 'subscription.customer_id')
    .select('customer.id')
    .where('subscription.status', '!=', 'canceled')
    .where('subscription.period_end', '<=', sql<number>`${now.getTime()} + customer.clock_offset`)
    .execute()
  return rows.map(({ id }) => id)
}

/** All subscriptions that the customer has or had, newest first. */
export async function listSubscriptions(
  db: Db,
  customerId: string,
): Promise<SandboxSubscription[]> {
  const rows = await db
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows as SandboxSubscription[]
}

/** The subscription that is not over; a customer never has two. */
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

export type SandboxInvoice = Selectable<Tables['sandbox_invoices']>

/** The customer's invoices, newest first. */
export async function listInvoices(db: Db, customerId: string): Promise<SandboxInvoice[]> {
  return db
    .selectFrom('sandbox_invoices')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('serial', 'desc')
    .limit(INVOICES_MAX)
    .execute()
}

/** Other ids are not looked up: PostgreSQL refuses some characters. */
const INVOICE_ID = /^in_test_[\w-]{36}$/

/** An account's invoice; undefined for any other. */
export async function findInvoice(
  db: Db,
  { id, workspaceId }: { id: string; workspaceId: WorkspaceId },
): Promise<SandboxInvoice | undefined> {
  if (!INVOICE_ID.test(id)) return undefined
  return db
    .selectFrom('sandbox_invoices as invoice')
    .innerJoin('sandbox_customers as customer', 'customer.id', 'invoice.customer_id')
    .selectAll('invoice')
    .where('invoice.id', '=', id)
    .where('customer.workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

/** Writes a paid invoice under the customer's next number; the customer must be locked. */
export async function addInvoice(
  tx: Tx,
  customerId: string,
  { at, amount, tier, billing }: Choice & { at: number; amount: number },
): Promise<void> {
  const { last } = await tx
    .selectFrom('sandbox_invoices')
    .select((row) => row.fn.max('serial').as('last'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('sandbox_invoices')
    .values({
      id: `in_test_${randomUUID()}`,
      customer_id: customerId,
      serial: Number(last ?? 0) + 1,
      at,
      amount,
      tier,
      billing,
      status: 'paid',
    })
    .execute()
}
