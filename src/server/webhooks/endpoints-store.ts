import type { Insertable, Selectable, Updateable } from 'kysely'
import type { WebhookType } from '#contract/programs/webhook-values.ts'
import type { Db, Tx, WebhookEndpointsTable } from '../database/schema.ts'

export type EndpointRow = Selectable<WebhookEndpointsTable>

/** An account's endpoints, the first one first. */
export async function endpointsOf(db: Db, userId: string): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('made_at')
    .orderBy('id')
    .execute()
}

export async function findEndpoint(
  db: Db,
  userId: string,
  id: string,
): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function addEndpoint(tx: Tx, row: Insertable<WebhookEndpointsTable>): Promise<void> {
  await tx.insertInto('webhook_endpoints').values(row).execute()
}

/** The caller has checked whose it is. */
export async function changeEndpoint(
  tx: Db,
  id: string,
  change: Updateable<WebhookEndpointsTable>,
): Promise<void> {
  await tx.updateTable('webhook_endpoints').set(change).where('id', '=', id).execute()
}

/** What waits for it goes with the sweep. The caller has checked whose it is. */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
  await tx
    .deleteFrom('webhook_deliveries')
    .where('endpoint_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Something waits for these endpoints now. */
export async function wakeEndpoints(tx: Db, ids: string[], now: Date): Promise<void> {
  const at = now.getTime()
  await tx
    .updateTable('webhook_endpoints')
    .set({ due_at: at })
    .where('id', 'in', ids)
    .where((row) => row.or([row('due_at', 'is', null), row('due_at', '>', at)]))
    .execute()
}

export type Listener = Pick<EndpointRow, 'id' | 'user_id' | 'scans_from'>

/** All endpoints that are told of a type now. */
export async function listenersTo(db: Db, type: WebhookType): Promise<Listener[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'user_id', 'scans_from', 'types'])
    .where('off_since', 'is', null)
    .where('types', 'like', `%${type}%`)
    .execute()
  return rows
}
