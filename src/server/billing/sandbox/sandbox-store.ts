import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { INVOICES_MAX } from '#contract/billing/billing.ts'
import { DAY_MS } from '#contract/time.ts'
import { hasCome } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { addNew } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Choice } from '../provider.ts'
import type { Books, TestPlan } from './sandbox-rules.ts'

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

/** A customer, by the own id or by that of the account, with the plans. */
export async function findBooks(
  db: Db,
  by: { id: string } | { workspace_id: WorkspaceId },
): Promise<Books | undefined> {
  const customer = await db
    .selectFrom('sandbox_customers')
    .selectAll()
    .where((column) => column.and(by))
    .executeTakeFirst()
  return customer && { ...customer, plans: await listPlans(db, customer.id), bills: [] }
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
export async function lockBooks(tx: Tx, id: string): Promise<Books | undefined> {
  await tx
    .updateTable('sandbox_customers')
    .set((now) => ({ clock_offset: now.ref('clock_offset') }))
    .where('id', '=', id)
    .execute()
  return findBooks(tx, { id })
}

/** Writes what has changed in the books of a locked customer. */
export async function saveBooks(tx: Tx, before: Books, books: Books): Promise<void> {
  const { id, card, clock_offset } = books
  await tx
    .updateTable('sandbox_customers')
    .set({ card, clock_offset })
    .where('id', '=', id)
    .execute()
  for (const plan of books.plans) {
    if (before.plans.includes(plan)) continue
    await tx
      .insertInto('sandbox_subscriptions')
      .values({ ...plan, customer_id: id })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(plan))
      .execute()
  }
  if (books.bills.length === 0) return
  const { last } = await tx
    .selectFrom('sandbox_invoices')
    .select((row) => row.fn.max('serial').as('last'))
    .where('customer_id', '=', id)
    .executeTakeFirstOrThrow()
  let serial = Number(last ?? 0)
  for (const bill of books.bills) {
    const own = { id: `in_test_${randomUUID()}`, customer_id: id, serial: ++serial }
    const invoice = { ...bill, ...own, status: 'paid' as const }
    await tx.insertInto('sandbox_invoices').values(invoice).execute()
  }
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

/** All plans that the customer has or had, newest first. */
export async function listPlans(db: Db, customerId: string): Promise<TestPlan[]> {
  const rows = await db
    .selectFrom('sandbox_subscriptions')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows as (TestPlan & { customer_id: string })[]
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

/** A page on which one plan is paid, or changed to. */
export type SandboxSession = Omit<
  Selectable<Tables['sandbox_sessions']>,
  'kind' | 'tier' | 'billing'
> &
  Choice & { kind: 'pay' | 'change' }

/** How long a page can be used after it was opened. */
export const SESSION_MS = DAY_MS
/** Anything else is not looked up: PostgreSQL refuses some characters. */
const SESSION_ID = /^[\w-]{1,64}$/
/** How long a session is kept after that. */
const KEPT_MS = 30 * DAY_MS

/** Opens a session; one that is already open under the same id stays as it is. */
export async function openSession(db: Db, session: SandboxSession): Promise<void> {
  await addNew(db, 'sandbox_sessions', session)
}

/** One that was left open too long is closed. */
export async function findSession(
  db: Db,
  id: string,
  now: Date,
): Promise<SandboxSession | undefined> {
  if (!SESSION_ID.test(id)) return undefined
  const row = (await db
    .selectFrom('sandbox_sessions')
    .selectAll()
    .where('id', '=', id)
    // The version before kept the visits to its portal here, too.
    .where('kind', '!=', 'portal')
    .executeTakeFirst()) as SandboxSession | undefined
  const isLate = row?.state === 'open' && row.expires_at <= now.getTime()
  return isLate ? { ...row, state: 'closed' } : row
}

/**
 * Ends an open session, once.
 * @throws AppError checkout_not_found if it is not open any more
 */
export async function completeSession(tx: Tx, id: string): Promise<void> {
  const isEnded = await changesRow(
    tx
      .updateTable('sandbox_sessions')
      .set({ state: 'complete' })
      .where('id', '=', id)
      .where('state', '=', 'open'),
  )
  if (!isEnded) throw new AppError('checkout_not_found')
}

export async function closeSessions(db: Db, customerId: string, exceptId = ''): Promise<void> {
  await db
    .updateTable('sandbox_sessions')
    .set({ state: 'closed' })
    .where('customer_id', '=', customerId)
    .where('state', '=', 'open')
    .where('id', '!=', exceptId)
    .execute()
}

export async function sweepSandboxSessions(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sandbox_sessions')
    .where(hasCome('expires_at', SESSION_MS + KEPT_MS, new Date(now.getTime() - KEPT_MS)))
    .execute()
}
