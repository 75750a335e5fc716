import { randomUUID } from 'node:crypto'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { CLOCKS_APART_MS } from '../../clock.ts'
import type { PersonId, WorkspaceId } from '../../database/ids.ts'
import { addNew, deleteWhere, rowsWhere, updateWhere } from '../../database/rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changesRow } from '../../database/transact.ts'

/** Accounts that one run of the job handles */
const ACCOUNTS_A_RUN = 100
/** How long before the purge the owner is reminded */
export const WARNING_MS = 7 * DAY_MS

export type Deletion = Selectable<Tables['deletions']>

/** An account that is to be deleted with all that the person owns, or a workspace alone */
export type Leaving = { user_id: PersonId } | { workspace_id: WorkspaceId }

export const leavingOf = ({ user_id, workspace_id }: Deletion): Leaving =>
  user_id === null ? { workspace_id: workspace_id as WorkspaceId } : { user_id }

/** Stores that it is to be purged. Returns when: a time that was set before stays. */
export async function addDeletion(tx: Tx, leaving: Leaving, dueAt: number) {
  const id = 'user_id' in leaving ? leaving.user_id : leaving.workspace_id
  const isNew = await addNew(tx, 'deletions', { id, ...leaving, due_at: dueAt })
  const known = await rowsWhere(tx, 'deletions', leaving).executeTakeFirst()
  return { dueAt: known?.due_at ?? dueAt, isNew }
}

/** Cancels a deletion. Returns false if there is none, or if the purge has begun. */
export async function removeDeletion(tx: Tx, leaving: Leaving): Promise<boolean> {
  return changesRow(deleteWhere(tx, 'deletions', { ...leaving, purge_began_at: null }))
}

/** Those whose payment provider does not know yet, in random order, so that none always comes last. */
export async function plansToStop(db: Db): Promise<Leaving[]> {
  const rows = await rowsWhere(db, 'deletions', { plan_stopped_at: null, purge_began_at: null })
    .orderBy(sql`random()`)
    .limit(ACCOUNTS_A_RUN)
    .execute()
  return rows.map(leavingOf)
}

export async function markPlanStopped(db: Db, leaving: Leaving, now: Date): Promise<void> {
  await updateWhere(db, 'deletions', leaving).set({ plan_stopped_at: now.getTime() }).execute()
}

/** The next deletions that are due at an instant */
function dueBy(db: Db, at: number) {
  const due = db.selectFrom('deletions').selectAll().where('due_at', '<=', at)
  return due.orderBy('due_at').limit(ACCOUNTS_A_RUN)
}

/** A reminder from the future is from a clock that went back: the owner is reminded again. */
const isUnwarned = (now: Date) => (row: ExpressionBuilder<Tables, 'deletions'>) =>
  row.or([row('warned_at', 'is', null), row('warned_at', '>', now.getTime() + CLOCKS_APART_MS)])

/** Deletions that are due within WARNING_MS and whose owners have not been reminded. */
export function unwarned(db: Db, now: Date): Promise<Deletion[]> {
  const soon = dueBy(db, now.getTime() + WARNING_MS)
  return soon.where(isUnwarned(now)).execute()
}

/** Returns false if another process was first, or the account was restored. */
export async function markWarned(tx: Tx, leaving: Leaving, now: Date): Promise<boolean> {
  return changesRow(
    updateWhere(tx, 'deletions', leaving).set({ warned_at: now.getTime() }).where(isUnwarned(now)),
  )
}

/** Deletions that are due, if their owners were reminded WARNING_MS ago. */
export function dueDeletions(db: Db, now: number): Promise<Deletion[]> {
  return dueBy(db, now)
    .where('warned_at', '<=', now - WARNING_MS)
    .execute()
}

/**
 * Begins the purge, after which the account cannot be restored. A purge that begins again keeps its
 * pseudonym. Returns undefined if the account was restored.
 */
export async function beginPurge(db: Db, leaving: Leaving, now: Date) {
  const row = await updateWhere(db, 'deletions', leaving)
    .set({
      purge_began_at: sql<number>`coalesce(purge_began_at, ${now.getTime()})`,
      pseudonym: sql<PersonId>`coalesce(pseudonym, ${randomUUID()})`,
    })
    .returning(['pseudonym', 'purge_began_at'])
    .executeTakeFirst()
  if (!row?.pseudonym || row.purge_began_at === null) return undefined
  return { pseudonym: row.pseudonym, beganAt: row.purge_began_at }
}

/** Ends the purge. Returns false if another process was first. */
export async function endPurge(tx: Tx, leaving: Leaving): Promise<boolean> {
  return changesRow(deleteWhere(tx, 'deletions', leaving))
}
