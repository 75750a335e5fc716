import type { Selectable } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { hasCome } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { rowsWhere } from '../database/rows.ts'
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

/** Binds a customer to an account, and answers the customer that is bound: the first one stays. */
export async function bindCustomer(
  db: Db,
  customer: Owner & { customerId: string; rereadAt: number },
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

/** Whether the workspace's owner has had a free trial, in this one or in another. */
export async function hadTrial(db: Db, workspaceId: WorkspaceId): Promise<boolean> {
  const owner = rowsWhere(db, 'workspaces', { id: workspaceId }).clearSelect().select('owner_id')
  const trial = await db
    .selectFrom('customers')
    .innerJoin('workspaces', 'workspaces.id', 'customers.workspace_id')
    .select('trial_at')
    .where('owner_id', '=', owner)
    .where('trial_at', 'is not', null)
    .executeTakeFirst()
  return trial !== undefined
}

type Owner = { provider: string; workspaceId: WorkspaceId }

/** A change of the account's customer at a provider. */
const change = (db: Db, { provider, workspaceId }: Owner) =>
  db
    .updateTable('customers')
    .where('workspace_id', '=', workspaceId)
    .where('provider', '=', provider)

/** Replaces a customer that was deleted at the provider. */
export async function replaceCustomer(
  db: Db,
  customer: Owner & { gone: string; customerId: string },
): Promise<void> {
  await change(db, customer)
    .set({ customer_id: customer.customerId })
    .where('customer_id', '=', customer.gone)
    .execute()
}

/**
 * Numbers a read that begins now, and sets the next one to `rereadAt` in case this one fails.
 * Returns undefined for an account without a customer.
 */
export async function beginRead(
  db: Db,
  { rereadAt, ...owner }: Owner & { rereadAt: number },
): Promise<{ customerId: string; read: number } | undefined> {
  const row = await change(db, owner)
    .set((now) => ({ reads_begun: now('reads_begun', '+', 1), reread_at: rereadAt }))
    .returning(['customer_id', 'reads_begun'])
    .executeTakeFirst()
  return row && { customerId: row.customer_id, read: row.reads_begun }
}

/**
 * Whether this read takes effect: true unless a read that began later already has. Then the account is read
 * again at `next`, unless another read has begun since, and `trialAt` is when it had its free trial, if ever.
 */
export const claimEffect = (
  tx: Tx,
  {
    customerId,
    read,
    next,
    trialAt,
    ...owner
  }: Owner & { customerId: string; read: number; next: number; trialAt: number | null },
) =>
  changesRow(
    change(tx, owner)
      .set((now) => ({
        read_applied: read,
        reread_at: now
          .case()
          .when('reads_begun', '=', read)
          .then(next)
          .else(now.ref('reread_at'))
          .end(),
        trial_at: now.fn.coalesce('trial_at', now.val(trialAt)),
      }))
      // A new owner has another customer.
      .where('customer_id', '=', customerId)
      .where('read_applied', '<', read),
  )

/** Sets when the account's state is read again, unless it is due sooner. */
export async function rereadAt(db: Db, { at, ...owner }: Owner & { at: number }): Promise<void> {
  await change(db, owner).set({ reread_at: at }).where('reread_at', '>', at).execute()
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
