import type { Selectable } from 'kysely'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changedRows } from '../../database/transact.ts'

export type ShareRow = Selectable<Tables['shares']>

/** The shares of a code that have not ended, newest first. */
export async function sharesOf(
  db: Db,
  { workspaceId, codeId }: { workspaceId: WorkspaceId; codeId: string },
  now: Date,
): Promise<ShareRow[]> {
  return db
    .selectFrom('shares')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('code_id', '=', codeId)
    .where('ends_at', '>', now.getTime())
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .execute()
}

/** How many shares of an account have not ended. */
export async function countShares(db: Db, workspaceId: WorkspaceId, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('shares')
    .select((row) => row.fn.countAll().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('ends_at', '>', now.getTime())
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Call `lockWorkspace` before counting and adding. */
export async function addShare(tx: Tx, row: ShareRow): Promise<void> {
  await tx.insertInto('shares').values(row).execute()
}

/** Whether it has ended is for the caller to say. */
export async function findShare(db: Db, hash: string): Promise<ShareRow | undefined> {
  return db.selectFrom('shares').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/**
 * Turns a share of this account on that a restore has paused. Call `lockWorkspace` first.
 * @returns the share as it was; undefined if there is none
 */
export async function resumeShare(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<ShareRow | undefined> {
  const own = tx.selectFrom('shares').selectAll().where('workspace_id', '=', workspaceId)
  const row = await own.where('id', '=', id).executeTakeFirst()
  if (!row || row.paused_at === null) return row
  await tx.updateTable('shares').set({ paused_at: null }).where('id', '=', id).execute()
  return row
}

/** Removes a share of this account; undefined if there is none. */
export async function removeShare(
  tx: Tx,
  workspaceId: WorkspaceId,
  id: string,
): Promise<ShareRow | undefined> {
  return tx
    .deleteFrom('shares')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function noteOpened(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('shares').set({ opened_at: now.getTime() }).where('id', '=', id).execute()
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
