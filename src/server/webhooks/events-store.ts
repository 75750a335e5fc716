import { randomUUID } from 'node:crypto'
import type { EventType } from '#contract/programs/webhook-values.ts'
import type { Db, Tx } from '../database/schema.ts'
import { wakeEndpoints } from './endpoints-store.ts'

/** What happened. Of one `line` events arrive in their order: a code's id, or what is about no code. */
export type News = { line: string; data: object }

/** Rows in one statement, below the parameter limits of both engines. */
const ROWS_AT_ONCE = 200

/** The body that is sent: the three fields of Standard Webhooks. */
export const payloadOf = (type: EventType, at: number, data: object) =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })

/**
 * Writes events down for the account's endpoints that want their type, in the transaction of what
 * happened. Almost no account has one: then this is one read, and `news` is not called.
 */
export async function publish(
  tx: Tx,
  { userId, type }: { userId: string; type: EventType },
  news: () => Promise<News[]>,
  now: Date,
): Promise<void> {
  const endpoints = await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'types'])
    .where('user_id', '=', userId)
    .where('off_since', 'is', null)
    .execute()
  const ids = endpoints.filter(({ types }) => types.split(',').includes(type)).map(({ id }) => id)
  if (ids.length > 0) await addEvents(tx, { userId, type, endpoints: ids }, await news(), now)
}

/** Writes events down for these endpoints. */
export async function addEvents(
  tx: Tx,
  { userId, type, endpoints }: { userId: string; type: EventType; endpoints: string[] },
  news: News[],
  now: Date,
): Promise<void> {
  const at = now.getTime()
  for (let start = 0; start < news.length; start += ROWS_AT_ONCE) {
    const part = news
      .slice(start, start + ROWS_AT_ONCE)
      .map((each) => ({ ...each, id: newEventId() }))
    const rows = part.map(({ id, data }) => {
      return { id, user_id: userId, type, at, payload: payloadOf(type, at, data) }
    })
    const added = await tx
      .insertInto('webhook_events')
      .values(rows)
      .returning(['id', 'seq'])
      .execute()
    const seqOf = new Map(added.map(({ id, seq }) => [id, seq]))
    for (const endpoint of endpoints) {
      const waiting = part.map(({ id, line }) => waitingOf(endpoint, seqOf.get(id) ?? 0, line, at))
      await tx.insertInto('webhook_deliveries').values(waiting).execute()
    }
  }
  if (news.length > 0) await wakeEndpoints(tx, endpoints, now)
}

export const newEventId = () => `evt_${randomUUID().replaceAll('-', '')}`

const waitingOf = (endpoint_id: string, event_seq: number, line: string, at: number) => ({
  ...{ endpoint_id, event_seq, line, next_at: at },
  ...{ state: 'waiting' as const, attempts: 0 },
})

/** Sends an event once more, behind what waits: receivers know it by its id. */
export async function addAgain(
  tx: Tx,
  { endpoint, event, line }: { endpoint: string; event: number; line: string },
  now: Date,
): Promise<number> {
  const { seq } = await tx
    .insertInto('webhook_deliveries')
    .values(waitingOf(endpoint, event, line, now.getTime()))
    .returning('seq')
    .executeTakeFirstOrThrow()
  await wakeEndpoints(tx, [endpoint], now)
  return seq
}

/** Removes what an account's webhooks have left, and the webhooks. */
export async function forgetWebhooks(db: Db, userId: string): Promise<void> {
  const own = db.selectFrom('webhook_endpoints').select('id').where('user_id', '=', userId)
  await db.deleteFrom('webhook_deliveries').where('endpoint_id', 'in', own).execute()
  await db.deleteFrom('webhook_endpoints').where('user_id', '=', userId).execute()
  await db.deleteFrom('webhook_events').where('user_id', '=', userId).execute()
}
