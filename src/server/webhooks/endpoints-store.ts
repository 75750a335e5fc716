import { type Selectable, sql, type Updateable } from 'kysely'
import type { WebhookType } from '#contract/integrations/webhook-values.ts'
import { hasCome } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { deleteWhere, rowsWhere, updateWhere } from '../database/rows.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { MAY_SEND } from '../database/service-marks.ts'
import { changesRow } from '../database/transact.ts'
import { takeDue } from '../due-queue.ts'
import { AppError } from '../http/errors.ts'
import { isFree, leaseEnd } from '../jobs.ts'
import { PAUSE_MAX_MS, REST_MAX_MS } from './back-off.ts'

export type EndpointRow = Selectable<Tables['webhook_endpoints']>

/** An account's endpoints, the first one first. */
export async function endpointsOf(db: Db, workspaceId: WorkspaceId): Promise<EndpointRow[]> {
  return rowsWhere(db, 'webhook_endpoints', { workspace_id: workspaceId })
    .orderBy('made_at')
    .orderBy('id')
    .execute()
}

/** An endpoint of the account. @throws AppError not_found */
export async function ownEndpoint(db: Db, workspace_id: WorkspaceId, id: string) {
  const row = await rowsWhere(db, 'webhook_endpoints', { workspace_id, id }).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
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
  return changesRow(updateWhere(db, 'webhook_endpoints', { id, fails, rest_until }).set(outcome))
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
  await deleteWhere(tx, 'webhook_deliveries', { endpoint_id: id, state: 'waiting' }).execute()
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
export function takeEndpoint(db: Db, except: string[], now: Date) {
  const lease = leaseEnd(now)
  return takeDue(
    db,
    'webhook_endpoints',
    ['id', 'due_at', 'off_since'],
    (endpoints) =>
      (except.length > 0 ? endpoints.where('id', 'not in', except) : endpoints)
        .where('off_since', 'is', null)
        .where(MAY_SEND)
        .where(hasCome('due_at', PAUSE_MAX_MS, now))
        .where(isFree('rest_until', now, REST_MAX_MS))
        .orderBy('due_at'),
    {
      due_at: lease,
      rest_until: sql`case when fails > 0 then ${lease} else rest_until end`,
    },
  )
}

/** Gives an endpoint its next due time, unless an event has made it due since it was taken. */
export async function leaveEndpoint(db: Db, { id, due_at }: EndpointRow, dueAt: number | null) {
  await updateWhere(db, 'webhook_endpoints', { id, due_at }).set({ due_at: dueAt }).execute()
}

export type Listener = Pick<EndpointRow, 'id' | 'workspace_id' | 'scans_from'>

/** All endpoints that get events of a type now. */
export async function listenersTo(db: Db, type: WebhookType): Promise<Listener[]> {
  const listening = rowsWhere(db, 'webhook_endpoints', { off_since: null })
  return listening.where('types', 'like', `%${type}%`).execute()
}
