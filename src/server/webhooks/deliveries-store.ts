import type { Updateable } from 'kysely'
import type { EventType } from '#contract/integrations/webhook-values.ts'
import { hasCome } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { deleteWhere, rowsWhere, updateWhere } from '../database/rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { changedRows, changesRow } from '../database/transact.ts'
import { AppError } from '../http/errors.ts'
import { leaseEnd } from '../jobs.ts'
import { PAUSE_MAX_MS } from './back-off.ts'

const selectDeliveries = (db: Db) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
    .selectAll('webhook_deliveries')
    .select(['webhook_events.id as event_id', 'webhook_events.type', 'webhook_events.at'])

const selectWaiting = (db: Db, endpoint_id: string) =>
  rowsWhere(db, 'webhook_deliveries', { endpoint_id, state: 'waiting' }).clearSelect()

/** An endpoint's deliveries, the newest first. */
export async function deliveriesOf(
  db: Db,
  endpoint: string,
  { before, limit }: { before: number | undefined; limit: number },
) {
  let query = selectDeliveries(db).where('webhook_deliveries.endpoint_id', '=', endpoint)
  if (before !== undefined) query = query.where('webhook_deliveries.seq', '<', before)
  return query.orderBy('webhook_deliveries.seq', 'desc').limit(limit).execute()
}

/** A delivery with its event, as it is listed. */
export type DeliveryRow = Awaited<ReturnType<typeof deliveriesOf>>[number]

/** The delivery that an endpoint got last. */
export async function newestOf(db: Db, endpoint: string): Promise<DeliveryRow> {
  const [row] = await deliveriesOf(db, endpoint, { before: undefined, limit: 1 })
  if (!row) throw new Error('this endpoint has no delivery')
  return row
}

/** A delivery of one of the account's endpoints, with the body that is sent. @throws AppError not_found */
export async function ownDelivery(db: Db, workspaceId: WorkspaceId, id: string) {
  const row = await selectDeliveries(db)
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
    .select('webhook_events.payload')
    .where('webhook_deliveries.seq', '=', /^\d{1,15}$/.test(id) ? Number(id) : 0)
    .where('webhook_endpoints.workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Counts up to `max` deliveries that wait for an endpoint. */
export async function countWaiting(db: Db, endpoint: string, max: number): Promise<number> {
  const some = selectWaiting(db, endpoint).select('seq').limit(max)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A delivery that this process sends now. */
export type Claimed = { seq: number; attempts: number; event_id: string; payload: string }

/**
 * Claims up to `limit` due deliveries of an endpoint, the longest due first. Their due time becomes the end
 * of a lease: if this process ends before it has noted the try, the delivery is due again.
 */
export async function claimDue(
  db: Db,
  endpoint: string,
  { limit, type }: { limit: number; type: EventType | undefined },
  now: Date,
): Promise<Claimed[]> {
  const isDue = hasCome('next_at', PAUSE_MAX_MS, now)
  let due = selectWaiting(db, endpoint).select('seq').where(isDue)
  if (type !== undefined) due = due.where('line', '=', type)
  const claimed = await updateWhere(db, 'webhook_deliveries', { state: 'waiting' })
    .set({ next_at: leaseEnd(now) })
    .where('seq', 'in', due.orderBy('next_at').limit(limit))
    // Another process may have been quicker.
    .where(isDue)
    .returning('seq')
    .execute()
  if (claimed.length === 0) return []
  const seqs = claimed.map(({ seq }) => seq)
  return db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
    .select(['webhook_deliveries.seq', 'webhook_deliveries.attempts'])
    .select(['webhook_events.id as event_id', 'webhook_events.payload'])
    .where('webhook_deliveries.seq', 'in', seqs)
    .execute()
}

/** When the next delivery of an endpoint is due; null if none waits. */
export async function nextDue(db: Db, endpoint: string): Promise<number | null> {
  const next = await selectWaiting(db, endpoint)
    .select('next_at')
    .orderBy('next_at')
    .limit(1)
    .executeTakeFirst()
  return next?.next_at ?? null
}

/** Notes the outcome of one try, unless the delivery waits no more. */
export async function noteTry(
  db: Db,
  seq: number,
  outcome: Updateable<Tables['webhook_deliveries']>,
): Promise<void> {
  await updateWhere(db, 'webhook_deliveries', { seq, state: 'waiting' }).set(outcome).execute()
}

/** Makes a waiting delivery due. Returns false if it does not wait. */
export async function tryNow(tx: Tx, seq: number, at: number): Promise<boolean> {
  return changesRow(
    updateWhere(tx, 'webhook_deliveries', { seq, state: 'waiting' }).set({ next_at: at }),
  )
}

/** Makes all deliveries due now that wait for an endpoint after a try, which failed at `since` or later. */
export async function tryAllNow(db: Db, endpoint: string, at: number, since = 0): Promise<void> {
  await updateWhere(db, 'webhook_deliveries', { endpoint_id: endpoint, state: 'waiting' })
    .set({ next_at: at })
    .where('next_at', '>', at)
    .where('tried_at', '>=', since)
    .execute()
}

/** Drops up to `limit` of the oldest scan events that wait for an endpoint. Returns how many. */
export async function dropOldestScans(db: Db, endpoint: string, limit: number): Promise<number> {
  const oldest = selectWaiting(db, endpoint)
    .select('seq')
    .where('line', '=', 'code.scanned' satisfies EventType)
    .orderBy('seq')
    .limit(limit)
  return changedRows(
    db.updateTable('webhook_deliveries').set({ state: 'dropped' }).where('seq', 'in', oldest),
  )
}

/** Removes the deliveries of an endpoint that wait no more, but for the newest `max`. */
export async function forgetListed(db: Db, endpoint: string, max: number): Promise<void> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '!=', 'waiting')
    .orderBy('seq', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst()
  if (!row) return
  await deleteWhere(db, 'webhook_deliveries', { endpoint_id: endpoint })
    .where('state', '!=', 'waiting')
    .where('seq', '<=', row.seq)
    .execute()
}
