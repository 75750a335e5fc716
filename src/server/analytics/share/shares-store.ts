import type { Selectable } from 'kysely'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changedRows } from '../../database/transact.ts'

export type ShareRow = Selectable<Tables['shares']>

/** The shares of an account that have not ended, newest first: at most SHARES_MAX. Call `lockWorkspace` before you add one. */
export async function sharesOf(db: Db, workspaceId: WorkspaceId, now: Date): Promise<ShareRow[]> {
  return db
    .selectFrom('shares')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ends_at', '>', now.getTime())
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Whether it has ended is for the caller to say. */
export async function findShare(db: Db, hash: string): Promise<ShareRow | undefined> {
  return db.selectFrom('shares').selectAll().where('hash', '=', hash).executeTakeFirst()
}

const isOwn = (workspaceId: WorkspaceId, id: string) => ({ workspace_id: workspaceId, id })

/**
 * Turns a share of this account on that a restore has paused. Call `lockWorkspace` first.
 * @returns the share as it was; undefined if there is none
 */
export async function resumeShare(tx: Tx, workspaceId: WorkspaceId, id: string) {
  const own = isOwn(workspaceId, id)
  const shares = tx.selectFrom('shares').selectAll()
  const share = await shares.where((row) => row.and(own)).executeTakeFirst()
  if (share && share.paused_at !== null) await changeShare(tx, id, { paused_at: null })
  return share
}

/** Removes a share of this account; undefined if there is none. */
export async function removeShare(tx: Tx, workspaceId: WorkspaceId, id: string) {
  const own = isOwn(workspaceId, id)
  const shares = tx.deleteFrom('shares').where((row) => row.and(own))
  return shares.returningAll().executeTakeFirst()
}

export async function changeShare(
  db: Db,
  id: string,
  to: Pick<Partial<ShareRow>, 'opened_at' | 'paused_at'>,
): Promise<void> {
  await db.updateTable('shares').set(to).where('id', '=', id).execute()
}

/** Removes the shares of codes that are purged, in the transaction in which they go. */
export async function forgetShares(tx: Tx, codeIds: string[]): Promise<void> {
  if (codeIds.length === 0) return
  await tx.deleteFrom('shares').where('code_id', 'in', codeIds).execute()
}

/** Removes all shares of an account. */
export async function endShares(tx: Tx, workspaceId: WorkspaceId): Promise<void> {
  await tx.deleteFrom('shares').where('workspace_id', '=', workspaceId).execute()
}

/** Removes up to `limit` shares that have ended. Returns how many. */
export async function removeEnded(db: Db, now: Date, limit: number): Promise<number> {
  const ended = db.selectFrom('shares').select('id').where('ends_at', '<=', now.getTime())
  return changedRows(db.deleteFrom('shares').where('id', 'in', ended.limit(limit)))
}
