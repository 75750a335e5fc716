import { randomUUID } from 'node:crypto'
import type { EventType } from '#contract/integrations/webhook-values.ts'
import { batchesOf } from '../batches.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { addNew, rowsWhere, updateWhere } from '../database/rows.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit, changesRow } from '../database/transact.ts'
import { wakeEndpoints } from './endpoints-store.ts'

/** Rows in one statement, below the parameter limits of both engines. */
const ROWS_AT_ONCE = 200

/** The body that is sent: the three fields of Standard Webhooks. */
const payloadOf = (type: EventType, at: number, data: object) =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })

/**
 * Writes events for the account's endpoints that want their type, in the transaction of the change. Almost no account
 * has one: then this is one read, and `data` is not called.
 * @param soon sends them, after the commit
 */
export const publisher =
  (clock: Clock, soon: () => void) =>
  async (
    tx: Tx,
    workspaceId: WorkspaceId,
    type: EventType,
    data: () => Promise<object[]>,
  ): Promise<void> => {
    const on = { workspace_id: workspaceId, off_since: null }
    const endpoints = await rowsWhere(tx, 'webhook_endpoints', on).execute()
    const ids = endpoints.filter(({ types }) => types.split(',').includes(type)).map(({ id }) => id)
    if (ids.length === 0) return
    await addEvents(tx, { workspaceId, type, endpoints: ids }, await data(), clock())
    afterCommit(tx, soon)
  }

/** Events to write. They are sent from `dueAt` on, or from now. */
type NewEvents = { workspaceId: WorkspaceId; type: EventType; endpoints: string[]; dueAt?: number }

/** Writes an event for each of `data`, to be sent to these endpoints. */
export async function addEvents(
  tx: Tx,
  { workspaceId, type, endpoints, dueAt }: NewEvents,
  data: object[],
  now: Date,
): Promise<void> {
  const at = now.getTime()
  for (const some of batchesOf(data, ROWS_AT_ONCE)) {
    const rows = some.map((each) => ({
      id: `evt_${randomUUID().replaceAll('-', '')}`,
      workspace_id: workspaceId,
      type,
      at,
      payload: payloadOf(type, at, each),
    }))
    const added = await tx.insertInto('webhook_events').values(rows).returning('seq').execute()
    for (const endpoint of endpoints) {
      const waiting = added.map(({ seq }) => waitingOf(endpoint, seq, type, dueAt ?? at))
      await tx.insertInto('webhook_deliveries').values(waiting).execute()
    }
  }
  if (data.length > 0) await wakeEndpoints(tx, endpoints, now)
}

/** A delivery of an event that is to be sent from an instant on */
export const waitingOf = (endpoint_id: string, event_seq: number, type: string, at: number) => ({
  endpoint_id,
  event_seq,
  line: type,
  next_at: at,
  state: 'waiting' as const,
  attempts: 0,
})

/** Removes an account's webhooks with their events. */
export async function forgetWebhooks(db: Db, workspaceId: WorkspaceId): Promise<void> {
  const own = db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('workspace_id', '=', workspaceId)
  await db.deleteFrom('webhook_deliveries').where('endpoint_id', 'in', own).execute()
  await db.deleteFrom('webhook_endpoints').where('workspace_id', '=', workspaceId).execute()
  await db.deleteFrom('webhook_events').where('workspace_id', '=', workspaceId).execute()
}

/** How far a job has come. */
export type Mark = { at: number; place: string }

export async function findMark(db: Db, name: string): Promise<Mark | undefined> {
  return rowsWhere(db, 'webhook_marks', { name }).executeTakeFirst()
}

/** Moves a mark. Returns false if another process was quicker. */
export async function moveMark(
  tx: Tx,
  name: string,
  { from, to }: { from: Mark | undefined; to: Mark },
): Promise<boolean> {
  if (!from) return addNew(tx, 'webhook_marks', { name, ...to })
  return changesRow(
    updateWhere(tx, 'webhook_marks', { name, at: from.at, place: from.place }).set(to),
  )
}
