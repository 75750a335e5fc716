import type { Insertable, Selectable, Updateable } from 'kysely'
import type { WebhookType } from '#contract/integrations/webhook-values.ts'
import { hasCome } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { MAY_SEND } from '../database/service-marks.ts'
import { changesRow } from '../database/transact.ts'
import { isFree, leaseEnd } from '../jobs.ts'
import { PAUSE_MAX_MS, REST_MAX_MS } from './back-off.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>

/** An account's endpoints, the first one first. */
export async function endpointsOf(db: Db, workspaceId: WorkspaceId): Promise<EndpointRow[]> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('made_at')
    .orderBy('id')
    .execute()
}

export async function findEndpoint(
  db: Db,
  workspaceId: WorkspaceId,
  id: string,
): Promise<EndpointRow | undefined> {
  return db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function addEndpoint(
  tx: Tx,
  row: Insertable<Tables['webhook_endpoints']>,
): Promise<void> {
  await tx.insertInto('webhook_endpoints').values(row).execute()
}

/**
 * Notes how a batch went. Returns false if another batch has been noted since the endpoint was taken, or its
 * owner has made it try at once: then this one does not count.
 */
export async function settleEndpoint(
  db: Db,
  { id, fails, rest_until }: EndpointRow,
  outcome: Pick<EndpointRow, 'fails' | 'failing_since' | 'rest_until'>,
): Promise<boolean> {
  return changesRow(
    db
      .updateTable('webhook_endpoints')
      .set(outcome)
      .where('id', '=', id)
      .where('fails', '=', fails)
      .where('rest_until', 'is not distinct from', rest_until),
  )
}

/** The caller has checked whose it is. */
export async function changeEndpoint(
  tx: Db,
  id: string,
  change: Updateable<Tables['webhook_endpoints']>,
): Promise<void> {
  await tx.updateTable('webhook_endpoints').set(change).where('id', '=', id).execute()
}

/** The sweep removes its other deliveries. The caller has checked whose it is. */
export async function removeEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()
  await tx
    .deleteFrom('webhook_deliveries')
    .where('endpoint_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/**
 * Makes endpoints due, for which something waits now. Those that are due get another time, too: a sender
 * that takes or leaves one at that time finds it changed, and cannot miss what was written.
 */
export async function wakeEndpoints(tx: Db, ids: string[], now: Date): Promise<void> {
  const at = now.getTime()
  await tx
    .updateTable('webhook_endpoints')
    .set((row) => ({
      due_at: row
        .case()
        .when('due_at', '<=', at)
        .then(row('due_at', '-', 1))
        .else(at)
        .end(),
    }))
    .where('id', 'in', ids)
    .execute()
}

/**
 * Takes an endpoint for which something is due. Its due time becomes the end of a lease. An event that is
 * written after that makes it due again; one that fails rests for the lease, so that one process asks it.
 */
export async function takeEndpoint(
  db: Db,
  except: string[],
  now: Date,
): Promise<EndpointRow | undefined> {
  for (;;) {
    let query = db
      .selectFrom('webhook_endpoints')
      .select(['id', 'due_at'])
      .where('off_since', 'is', null)
      .where(MAY_SEND)
      .where(hasCome('due_at', PAUSE_MAX_MS, now))
      .where(isFree('rest_until', now, REST_MAX_MS))
    if (except.length > 0) query = query.where('id', 'not in', except)
    const due = await query.orderBy('due_at').limit(1).executeTakeFirst()
    if (!due) return undefined
    const lease = leaseEnd(now)
    const taken = await db
      .updateTable('webhook_endpoints')
      .set((row) => ({
        due_at: lease,
        rest_until: row.case().when('fails', '>', 0).then(lease).else(row.ref('rest_until')).end(),
      }))
      .where('id', '=', due.id)
      .where('due_at', '=', due.due_at)
      .where('off_since', 'is', null)
      .returningAll()
      .executeTakeFirst()
    if (taken) return taken
    // Another process was quicker; there may be more.
  }
}

/** Gives an endpoint its next due time, unless an event has made it due since it was taken. */
export async function leaveEndpoint(
  db: Db,
  { id, due_at }: EndpointRow,
  dueAt: number | null,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({ due_at: dueAt })
    .where('id', '=', id)
    .where('due_at', '=', due_at)
    .execute()
}

export type Listener = Pick<EndpointRow, 'id' | 'workspace_id' | 'scans_from'>

/** All endpoints that get events of a type now. */
export async function listenersTo(db: Db, type: WebhookType): Promise<Listener[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'workspace_id', 'scans_from', 'types'])
    .where('off_since', 'is', null)
    .where('types', 'like', `%${type}%`)
    .execute()
  return rows
}
