import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { HOUR_MS } from '#contract/time.ts'
import { clampFutureTimes } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { afterCommit, inBatches, transact } from '../database/transact.ts'
import { forgetAnswers } from '../http/idempotency-record.ts'
import type { Job } from '../jobs.ts'
import { removeImports } from './imports/imports-store.ts'
import { keysOf, releaseKeys, reserveKeys } from './paths-store.ts'
import { DRAFT_LIFE_MS, TRASH_LIFE_MS, TRASH_MAX } from './rules.ts'
import type { CodesRoomDeps } from './types.ts'

/** Codes in one transaction, so that none holds the database for long. */
const BATCH = 200

/**
 * Deletes old drafts, and purges codes with their scans: after 30 days in the trash, and the first deleted
 * of a trash that is too full. Their names stay reserved.
 */
export function codeSweeps({
  db,
  clock,
  forgetScans,
}: Pick<CodesRoomDeps, 'db' | 'clock' | 'forgetScans'>): Job[] {
  // No name leads elsewhere: drafts and codes in the trash have no target.
  const deps = { db, forgetScans, onCodeChanged: () => {} }

  async function sweepDrafts() {
    const at = clock().getTime()
    // The clock may have been set back: a draft of the future is one of now.
    await db
      .updateTable('codes')
      .set({ created_at: at })
      .where('saved_at', 'is', null)
      .where('created_at', '>', at)
      .execute()
    await removeAll(deps, (row) =>
      row.and([row('saved_at', 'is', null), row('created_at', '<', at - DRAFT_LIFE_MS)]),
    )
  }

  async function purgeTrash() {
    await clampFutureTimes(db, 'codes', 'deleted_at', clock())
    const before = clock().getTime() - TRASH_LIFE_MS
    await removeAll(deps, (row) => row('deleted_at', '<', before))
    for (;;) {
      const owner = await ownerOfFullTrash(db)
      if (owner === undefined) return
      const surplus = selected(db, inTrash)
        .where('workspace_id', '=', owner)
        .orderBy('deleted_at', 'desc')
        .orderBy('id')
        .offset(TRASH_MAX)
      await removeAll(deps, inTrash, surplus)
    }
  }

  return [
    { name: 'sweep-drafts', everyMs: HOUR_MS, run: sweepDrafts },
    { name: 'purge-bin', everyMs: HOUR_MS, run: purgeTrash },
  ]
}

type PurgeDeps = Pick<CodesRoomDeps, 'db' | 'forgetScans' | 'onCodeChanged'>

/**
 * Removes all codes of an account for good, with their scans. Their names stay reserved: what is
 * printed leads to the page for unknown codes, and never to another account's link. It can be repeated.
 */
export async function purgeCodes(
  { db, forgetScans, onCodeChanged }: PurgeDeps,
  workspaceId: WorkspaceId,
) {
  // First: one that is being published would create codes in between.
  await removeImports(db, workspaceId)
  const withoutOwner: PurgeDeps['forgetScans'] = (tx, codes) => {
    const anonymous = codes.map(({ id }) => ({ id, workspaceId: null }))
    return forgetScans(tx, anonymous)
  }
  const deps = { db, forgetScans: withoutOwner, onCodeChanged }
  await removeAll(deps, (row) => row('workspace_id', '=', workspaceId))
  for (const table of ['looks', 'logos', 'tags', 'code_usage'] as const) {
    await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
  }
  await forgetAnswers(db, workspaceId)
}

type Condition = (row: ExpressionBuilder<Tables, 'codes'>) => Expression<SqlBool>

const inTrash: Condition = (row) => row('deleted_at', 'is not', null)

const selected = (db: Db, condition: Condition) =>
  db.selectFrom('codes').select('id').where(condition).limit(BATCH)

/** Removes drafts and codes for good, in batches of `some`. Names of drafts become free, all others stay reserved. */
function removeAll(
  { db, forgetScans, onCodeChanged }: PurgeDeps,
  condition: Condition,
  some = selected(db, condition),
): Promise<void> {
  const removeSome = async (tx: Tx) => {
    const removed = await tx
      .deleteFrom('codes')
      .where('id', 'in', some)
      // It is checked again for each row, which may be saved or restored at this moment.
      .where(condition)
      .returning(['id', 'workspace_id as workspaceId', 'saved_at'])
      .execute()
    const codes = removed.flatMap(({ id, workspaceId, saved_at }) =>
      saved_at === null ? [] : { id, workspaceId },
    )
    const codeIds = codes.map(({ id }) => id)
    const keys = await keysOf(tx, codeIds)
    await reserveKeys(tx, codeIds)
    const drafts = removed.flatMap(({ id, saved_at }) => (saved_at === null ? id : []))
    await releaseKeys(tx, drafts)
    await forgetScans(tx, codes)
    afterCommit(tx, () => onCodeChanged(keys))
    return removed.length
  }
  return inBatches(() => transact(db, removeSome), BATCH)
}

/** An account whose trash has too many codes, if there is one. */
async function ownerOfFullTrash(db: Db): Promise<WorkspaceId | undefined> {
  const row = await db
    .selectFrom('codes')
    .select('workspace_id')
    .where(inTrash)
    .groupBy('workspace_id')
    .having((codes) => codes.fn.countAll(), '>', TRASH_MAX)
    .limit(1)
    .executeTakeFirst()
  return row?.workspace_id
}
