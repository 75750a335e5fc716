import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { HOUR_MS } from '#contract/time.ts'
import { type Clock, clampFutureTimes } from '../clock.ts'
import type { Db, Tables, Tx } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { forgetAnswers } from '../http/idempotency-record.ts'
import type { Job } from '../jobs.ts'
import { removeImports } from './imports/imports-store.ts'
import { keysOf, releaseKeys, reserveKeys } from './paths-store.ts'
import { BIN_LIFE_MS, BIN_MAX, DRAFT_LIFE_MS } from './rules.ts'

/** Codes in one transaction, so that none holds the database for long. */
const BATCH = 200

export type SweepDeps = {
  db: Db
  clock: Clock
  /** Removes the recorded scans of these codes. Without an owner it keeps nobody's name. */
  forgetScans: (tx: Tx, codes: { id: string; userId: string | null }[]) => Promise<void>
}

/**
 * Deletes old drafts, and purges codes with their scans: after 30 days in the bin, and the first deleted
 * of a bin that is too full. Their names stay reserved.
 */
export function codeSweeps({ db, clock, forgetScans }: SweepDeps): Job[] {
  const remove = (condition: Condition, some = selected(db, condition)) =>
    removeAll({ db, forgetScans }, condition, some)

  async function sweepDrafts() {
    const at = clock().getTime()
    // The clock may have been set back: a draft of the future is one of now.
    await db
      .updateTable('codes')
      .set({ created_at: at })
      .where('saved_at', 'is', null)
      .where('created_at', '>', at)
      .execute()
    await remove((row) =>
      row.and([row('saved_at', 'is', null), row('created_at', '<', at - DRAFT_LIFE_MS)]),
    )
  }

  async function purgeBin() {
    await clampFutureTimes(db, 'codes', 'deleted_at', clock())
    const before = clock().getTime() - BIN_LIFE_MS
    await remove((row) => row('deleted_at', '<', before))
    for (;;) {
      const owner = await ownerOfFullBin(db)
      if (owner === undefined) return
      const surplus = selected(db, inBin)
        .where('user_id', '=', owner)
        .orderBy('deleted_at', 'desc')
        .orderBy('id')
        .offset(BIN_MAX)
      await remove(inBin, surplus)
    }
  }

  return [
    { name: 'sweep-drafts', everyMs: HOUR_MS, run: sweepDrafts },
    { name: 'purge-bin', everyMs: HOUR_MS, run: purgeBin },
  ]
}

type PurgeDeps = Pick<SweepDeps, 'db' | 'forgetScans'> & {
  /** Called after each commit with the names whose target has changed. */
  onCodeChanged: (keys: string[]) => void
}

/**
 * Removes all codes of an account for good, with their scans. Their names stay reserved: what is
 * printed leads to the page for unknown codes, and never to another account's link. It can be repeated.
 */
export async function purgeCodes({ db, forgetScans, onCodeChanged }: PurgeDeps, userId: string) {
  // First: one that is being published would create codes in between.
  await removeImports(db, userId)
  const withoutOwner: SweepDeps['forgetScans'] = (tx, codes) =>
    forgetScans(
      tx,
      codes.map(({ id }) => ({ id, userId: null })),
    )
  const isTheirs: Condition = (row) => row('user_id', '=', userId)
  const deps = { db, forgetScans: withoutOwner, onCodeChanged }
  await removeAll(deps, isTheirs, selected(db, isTheirs))
  for (const table of ['looks', 'logos', 'tags', 'code_usage'] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  }
  await forgetAnswers(db, userId)
}

type Condition = (row: ExpressionBuilder<Tables, 'codes'>) => Expression<SqlBool>

const inBin: Condition = (row) => row('deleted_at', 'is not', null)

const selected = (db: Db, condition: Condition) =>
  db.selectFrom('codes').select('id').where(condition).limit(BATCH)

/** Removes drafts and codes for good, in batches of `some`. Names of drafts become free, all others stay reserved. */
async function removeAll(
  { db, forgetScans, onCodeChanged }: Omit<PurgeDeps, 'onCodeChanged'> & Partial<PurgeDeps>,
  condition: Condition,
  some: ReturnType<typeof selected>,
): Promise<void> {
  for (;;) {
    const { removed, keys } = await transact(db, async (tx) => {
      const removed = await tx
        .deleteFrom('codes')
        .where('id', 'in', some)
        // It is checked again for each row, which may be saved or restored at this moment.
        .where(condition)
        .returning(['id', 'user_id', 'saved_at'])
        .execute()
      const codes = removed.flatMap(({ id, user_id, saved_at }) =>
        saved_at === null ? [] : { id, userId: user_id },
      )
      const codeIds = codes.map(({ id }) => id)
      const keys = onCodeChanged ? await keysOf(tx, codeIds) : []
      await reserveKeys(tx, codeIds)
      await releaseKeys(
        tx,
        removed.flatMap(({ id, saved_at }) => (saved_at === null ? id : [])),
      )
      await forgetScans(tx, codes)
      return { removed: removed.length, keys }
    })
    onCodeChanged?.(keys)
    if (removed < BATCH) return
  }
}

/** An account whose bin has too many codes, if there is one. */
async function ownerOfFullBin(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('codes')
    .select('user_id')
    .where(inBin)
    .groupBy('user_id')
    .having((codes) => codes.fn.countAll(), '>', BIN_MAX)
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}
