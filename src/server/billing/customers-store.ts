import type { Selectable } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { hasCome } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { changesRow } from '../database/transact.ts'

export type Customer = Selectable<Tables['customers']>

/** The account's customer at a provider; undefined before its first payment. */
export async function findCustomer(
  db: Db,
  provider: string,
  workspaceId: WorkspaceId,
): Promise<Customer | undefined> {
  return db
    .selectFrom('customers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .executeTakeFirst()
}

/** All customers of an account, one a provider. */
export async function listCustomers(db: Db, workspaceId: WorkspaceId): Promise<Customer[]> {
  return db.selectFrom('customers').selectAll().where('workspace_id', '=', workspaceId).execute()
}

/** Forgets all customers of an account. */
export async function removeCustomers(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx.deleteFrom('customers').where('workspace_id', '=', workspaceId).execute()
}

/** Binds a customer to an account, and answers the customer that is bound: the first one stays. */
export async function bindCustomer(
  db: Db,
  customer: { provider: string; workspaceId: WorkspaceId; customerId: string; rereadAt: number },
): Promise<string> {
  const row = await db
    .insertInto('customers')
    .values({
      workspace_id: customer.workspaceId,
      provider: customer.provider,
      customer_id: customer.customerId,
      reads_begun: 0,
      read_applied: 0,
      reread_at: customer.rereadAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'provider'])
        .doUpdateSet((now) => ({ customer_id: now.ref('customers.customer_id') })),
    )
    .returning('customer_id')
    .executeTakeFirstOrThrow()
  return row.customer_id
}

/** Replaces a customer that was deleted at the provider. */
export async function replaceCustomer(
  db: Db,
  customer: { provider: string; workspaceId: WorkspaceId; gone: string; customerId: string },
): Promise<void> {
  await db
    .updateTable('customers')
    .set({ customer_id: customer.customerId })
    .where('workspace_id', '=', customer.workspaceId)
    .where('provider', '=', customer.provider)
    .where('customer_id', '=', customer.gone)
    .execute()
}

/**
 * Numbers a read that begins now, and sets the next one to `rereadAt` in case this one fails.
 * Returns undefined for an account without a customer.
 */
export async function beginRead(
  db: Db,
  {
    provider,
    workspaceId,
    rereadAt,
  }: { provider: string; workspaceId: WorkspaceId; rereadAt: number },
): Promise<{ customerId: string; read: number } | undefined> {
  const row = await db
    .updateTable('customers')
    .set((now) => ({ reads_begun: now('reads_begun', '+', 1), reread_at: rereadAt }))
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .returning(['customer_id', 'reads_begun'])
    .executeTakeFirst()
  return row && { customerId: row.customer_id, read: row.reads_begun }
}

/** Whether this read may take effect: true unless a read that began later already has. */
export async function claimEffect(
  tx: Tx,
  { provider, workspaceId, read }: { provider: string; workspaceId: WorkspaceId; read: number },
): Promise<boolean> {
  return changesRow(
    tx
      .updateTable('customers')
      .set({ read_applied: read })
      .where('workspace_id', '=', workspaceId)
      .where('provider', '=', provider)
      .where('read_applied', '<', read),
  )
}

/** Notes that the account has had its free trial. */
export async function noteTrial(
  tx: Tx,
  { provider, workspaceId, at }: { provider: string; workspaceId: WorkspaceId; at: number },
): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ trial_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .where('trial_at', 'is', null)
    .execute()
}

/** Sets when the account is read again, unless another read has begun since. */
export async function settleRead(
  tx: Tx,
  {
    provider,
    workspaceId,
    read,
    at,
  }: { provider: string; workspaceId: WorkspaceId; read: number; at: number },
): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ reread_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .where('reads_begun', '=', read)
    .execute()
}

/** Sets when the account's state is read again, unless it is due sooner. */
export async function rereadAt(
  db: Db,
  { provider, workspaceId, at }: { provider: string; workspaceId: WorkspaceId; at: number },
): Promise<void> {
  await db
    .updateTable('customers')
    .set({ reread_at: at })
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)
    .where('reread_at', '>', at)
    .execute()
}

/** The accounts whose state is due to be read again, the longest due first. */
export async function dueCustomers(
  db: Db,
  { provider, now, limit }: { provider: string; now: Date; limit: number },
): Promise<WorkspaceId[]> {
  const rows = await db
    .selectFrom('customers')
    .select('workspace_id')
    .where('provider', '=', provider)
    .where(hasCome('reread_at', DAY_MS, now))
    .orderBy('reread_at')
    .limit(limit)
    .execute()
  return rows.map((row) => row.workspace_id)
}
