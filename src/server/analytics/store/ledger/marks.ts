import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/schema.ts'

/* ledger_marks: how far the jobs on the ledger have come. */

export type Mark = { at: number; place: string }

/** Its `at` is the first UTC day whose ledger is whole. Retention raises it. */
export const FIRST_COMPLETE_DAY = 'whole-from'
/** Its `at` is a UTC day. No code's totals hold that day or a later one. */
export const TOTALS_MARK = 'totals'
/** Its `at` and `place` are the `until` and the `changes` of the packs' state (packs-store.ts). */
export const PACKED = 'packed'
/** Its `at` is a UTC day: each account's parts of earlier days are joined. */
export const JOINED = 'joined-packs'
/** Its `at` is the first UTC day whose scans all have the UTM parameters that they met. */
const UTM_FROM = 'utm-from'
/** Its `at` counts the transactions that purged codes. */
export const PURGES = 'purges'
/** Its `at` is the first UTC day whose scans ClickHouse has whole; of those before it keeps sums. */
export const KEPT_FROM = 'clickhouse-from'
/** Its `at` changes with each restore and copy of scans: ClickHouse takes no insert of an earlier one for a repeat. */
export const GENERATION = 'generation'
/**
 * Its `at` is a UTC day. The ledger and the table in ClickHouse that `place` names had as many scans of each one before
 * it.
 */
export const AGREED = 'clickhouse-agreed'
/**
 * Its `at` is the UTC day of which rows in the ledger were changed, so that rollups, first visits and packs
 * may still be those of the rows before. One day at a time is in work (repair.ts).
 */
const REWRITTEN = 'rewritten-day'

export async function markOf(db: Db, name: string): Promise<Mark | undefined> {
  return db
    .selectFrom('ledger_marks')
    .select(['at', 'place'])
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function setMark(db: Db, name: string, at: number, place = ''): Promise<void> {
  await db
    .insertInto('ledger_marks')
    .values({ name, at, place })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, place }))
    .execute()
}

/** The rollups know more than the ledger of UTC days before this one. */
export async function firstCompleteDay(db: Db): Promise<number> {
  return (await markOf(db, FIRST_COMPLETE_DAY))?.at ?? 0
}

/** The first UTC day whose scans ClickHouse has. It has sums of those before. */
export async function keptFrom(db: Db): Promise<number> {
  return (await markOf(db, KEPT_FROM))?.at ?? 0
}

/** The first complete day, and the one before which a scan that has no UTM parameters may have met some. */
export async function completeness(db: Db) {
  const marks = db.selectFrom('ledger_marks').select(['name', 'at'])
  const rows = await marks.where('name', 'in', [FIRST_COMPLETE_DAY, UTM_FROM]).execute()
  const dayOf = (name: string) => rows.find((row) => row.name === name)?.at ?? 0
  return { firstCompleteDay: dayOf(FIRST_COMPLETE_DAY), utmFrom: dayOf(UTM_FROM) }
}

/** Call it before a scan goes. */
export async function raiseFirstCompleteDay(db: Db, day: number): Promise<void> {
  if ((await firstCompleteDay(db)) < day) await setMark(db, FIRST_COMPLETE_DAY, day)
}

/**
 * After scans may have gone from ClickHouse: it takes batches again that were there before. It is an instant, since a
 * restore brings the former mark back.
 */
export const raiseGeneration = (db: Db, now = new Date()) => setMark(db, GENERATION, now.getTime())

/** Every transaction that changes or deletes rows of the ledger calls it: no pack is made of the old rows. */
export async function noteLedgerChange(tx: Tx): Promise<void> {
  await sql`insert into ledger_marks (name, at, place) values (${PACKED}, 0, '1')
    on conflict (name) do update
    set place = cast(cast(ledger_marks.place as integer) + 1 as text)`.execute(tx)
}

/** Every transaction that changes rows of a day calls it: the day is repaired even after a kill. */
export async function noteRewritten(tx: Tx, day: number): Promise<void> {
  await noteLedgerChange(tx)
  await setMark(tx, REWRITTEN, day)
}

/** The day whose repair has not ended. */
export const rewrittenDay = async (db: Db) => (await markOf(db, REWRITTEN))?.at

export async function noteRepaired(db: Db): Promise<void> {
  await db.deleteFrom('ledger_marks').where('name', '=', REWRITTEN).execute()
}
