import { sql } from 'kysely'
import type { Db, Tx, WebhookDeliveriesTable } from '../database/schema.ts'

/** A delivery with its event, as it is listed. */
export type DeliveryRow = Omit<WebhookDeliveriesTable, 'seq'> & {
  seq: number
  event_id: string
  type: string
  at: number
}

const listed = (db: Db) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
    .selectAll('webhook_deliveries')
    .select(['webhook_events.id as event_id', 'webhook_events.type', 'webhook_events.at'])

/** An endpoint's deliveries, the newest first. */
export async function deliveriesOf(
  db: Db,
  endpoint: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<DeliveryRow[]> {
  let query = listed(db).where('webhook_deliveries.endpoint_id', '=', endpoint)
  if (before !== undefined) query = query.where('webhook_deliveries.seq', '<', before)
  return query.orderBy('webhook_deliveries.seq', 'desc').limit(limit).execute()
}

/** A delivery of one of the account's endpoints, with the body that is sent. */
export async function findDelivery(
  db: Db,
  userId: string,
  seq: number,
): Promise<(DeliveryRow & { payload: string }) | undefined> {
  return listed(db)
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'webhook_deliveries.endpoint_id')
    .select('webhook_events.payload')
    .where('webhook_deliveries.seq', '=', seq)
    .where('webhook_endpoints.user_id', '=', userId)
    .executeTakeFirst()
}

/** Up to `max` deliveries that wait for each of these endpoints. */
export async function countWaiting(db: Db, endpoint: string, max: number): Promise<number> {
  const some = db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '=', 'waiting')
    .limit(max)
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** What came of one try. */
export type Tried = {
  attempts: number
  status: number | null
  text: string
  tookMs: number
  /** When it is tried again; undefined where it is not */
  nextAt: number | undefined
  isDelivered: boolean
}

export async function noteTry(db: Db, seq: number, tried: Tried, now: Date): Promise<void> {
  const { attempts, status, text, tookMs, nextAt, isDelivered } = tried
  const at = now.getTime()
  await db
    .updateTable('webhook_deliveries')
    .set({
      ...{ attempts, tried_at: at, next_at: nextAt ?? at, took_ms: tookMs },
      ...{ answer_status: status, answer_text: text },
      state: isDelivered ? 'delivered' : nextAt === undefined ? 'failed' : 'waiting',
    })
    .where('seq', '=', seq)
    .where('state', '=', 'waiting')
    .execute()
}

/** Lets a waiting delivery come now; false where it does not wait. */
export async function tryNow(tx: Tx, seq: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ next_at: now.getTime() })
    .where('seq', '=', seq)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets all that waits for a later try of an endpoint come now. */
export async function tryAllNow(tx: Tx, endpoint: string, at: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_at: at })
    .where('endpoint_id', '=', endpoint)
    .where('state', '=', 'waiting')
    .where('next_at', '>', at)
    .execute()
}

/** What is sent: the first that waits of its line. */
export type Head = {
  seq: number
  line: string
  attempts: number
  event_id: string
  type: string
  payload: string
}

/** No delivery of the same line that came before waits. */
const isFirst = sql<boolean>`not exists (select 1 from webhook_deliveries as older
  where older.state = 'waiting' and older.endpoint_id = webhook_deliveries.endpoint_id
    and older.line = webhook_deliveries.line and older.seq < webhook_deliveries.seq)`

const firstOfLines = (db: Db, endpoint: string) =>
  db
    .selectFrom('webhook_deliveries')
    .where('webhook_deliveries.endpoint_id', '=', endpoint)
    .where('webhook_deliveries.state', '=', 'waiting')
    .where(isFirst)

/** What of each line is due, the oldest first. `line` asks for one line only. */
export async function dueHeads(
  db: Db,
  endpoint: string,
  { now, aheadMs, limit, line }: { now: number; aheadMs: number; limit: number; line?: string },
): Promise<Head[]> {
  let query = firstOfLines(db, endpoint)
    .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
    .select(['webhook_deliveries.seq', 'webhook_deliveries.line', 'webhook_deliveries.attempts'])
    .select(['webhook_events.id as event_id', 'webhook_events.type', 'webhook_events.payload'])
    // A try beyond all pauses was set by a clock that has gone back since.
    .where((row) => row.or([row('next_at', '<=', now), row('next_at', '>', now + aheadMs)]))
  if (line !== undefined) query = query.where('webhook_deliveries.line', '=', line)
  return query.orderBy('webhook_deliveries.seq').limit(limit).execute()
}

/** When the next delivery of an endpoint is due; undefined where none waits. */
export async function nextDue(db: Db, endpoint: string): Promise<number | undefined> {
  const row = await firstOfLines(db, endpoint)
    .select('webhook_deliveries.next_at')
    .orderBy('webhook_deliveries.next_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_at
}

/** Whether something that came before waits in one of these lines. */
export async function waitsBefore(
  db: Db,
  { endpoint, seq, lines }: { endpoint: string; seq: number; lines: string[] },
): Promise<boolean> {
  if (lines.length === 0) return false
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('endpoint_id', '=', endpoint)
    .where('state', '=', 'waiting')
    .where('line', 'in', lines)
    .where('seq', '<', seq)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The payloads, of one line, that came before and wait: at most `limit`. */
export async function payloadsBefore(
  db: Db,
  { endpoint, seq, line, limit }: { endpoint: string; seq: number; line: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', 'webhook_events.seq', 'webhook_deliveries.event_seq')
    .select('webhook_events.payload')
    .where('webhook_deliveries.endpoint_id', '=', endpoint)
    .where('webhook_deliveries.state', '=', 'waiting')
    .where('webhook_deliveries.line', '=', line)
    .where('webhook_deliveries.seq', '<', seq)
    .orderBy('webhook_deliveries.seq')
    .limit(limit)
    .execute()
  return rows.map(({ payload }) => payload)
}
