import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import type { Db, Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { utcDay } from '../instants.ts'
import { lackScans, repackDay } from '../packs/repacking.ts'
import { nextScannedDay } from './id-ranges.ts'
import { markOf } from './marks.ts'
import { type CountRow, differencesOf, type FacetRow } from './rebuild-day.ts'
import { mendFirsts } from './rebuild-firsts.ts'
import { QUARTERS_A_DAY, shareTotals } from './totals.ts'

/** In ledger_marks: its `at` is the first UTC day whose ledger is whole. Retention raises it. */
export const WHOLE_FROM = 'whole-from'

/** Rows of rollups that one transaction changes */
const ROWS = 200
/** Codes whose rollups are compared with the days that were seen at once */
const CODES = 50
const LEASE = 'rebuild-rollups'
const LEASE_MS = 5 * 60 * 1000

/** Another process rebuilds the rollups now. Two at once would mend each number twice. */
export class RebuildRefused extends Error {}

export type Rebuilt = { days: number; changed: number }

/**
 * Mends rollups, first visits, totals and packs where they differ from the ledger, on the UTC days whose ledger
 * is whole. It reads a day without a lock and then adds what is lacking in short transactions with rests
 * between them, so it may run beside the service.
 * @throws RebuildRefused
 */
export async function rebuildRollups(database: Database): Promise<Rebuilt> {
  const { db, reads } = database
  const holder = randomUUID()
  const today = utcDay(Date.now())
  const first = (await markOf(db, WHOLE_FROM))?.at ?? 0
  const rebuilt = { days: 0, changed: 0 }
  const seen = new CodeDays()

  async function mend(day: number, others: string[] = []) {
    await holdLease(db, holder)
    const firsts = await mendFirsts(database, day, today)
    rebuilt.changed += firsts
    if (firsts > 0 || (await lackScans(database, day))) await repackDay(database, day)
    const { codes, counts, facets } = await differencesOf(database, day, others)
    for (const codeId of codes) seen.add(codeId, day)
    rebuilt.changed += counts.length + facets.length
    for (let start = 0; start < counts.length; start += ROWS) {
      await inStep((tx) => addCounts(tx, counts.slice(start, start + ROWS)))
    }
    for (let start = 0; start < facets.length; start += ROWS) {
      await inStep((tx) => addFacets(tx, facets.slice(start, start + ROWS)))
    }
  }

  /** The writer has the database for itself as long as the step took. */
  async function inStep(add: (tx: Tx) => Promise<{ code_id: string; day: number }[]>) {
    const start = performance.now()
    const { engine } = database.location
    await transact(db, async (tx) => {
      if (engine === 'postgres') await sql.raw(shareTotals).execute(tx)
      for (const { code_id, day } of await add(tx)) {
        await tx
          .deleteFrom('totalled_codes')
          .where('code_id', '=', code_id)
          .where('until', '>', day)
          .execute()
      }
    })
    await sleep(performance.now() - start)
  }

  try {
    for (let day = await nextScannedDay(reads, first); day !== undefined; ) {
      await mend(day)
      rebuilt.days++
      day = await nextScannedDay(reads, day + 1)
    }
    for (const [day, codes] of await daysUnseen(reads, first, seen)) await mend(day, codes)
    return rebuilt
  } finally {
    await db
      .deleteFrom('job_leases')
      .where('name', '=', LEASE)
      .where('holder', '=', holder)
      .execute()
  }
}

async function holdLease(db: Db, holder: string): Promise<void> {
  const now = Date.now()
  const lease = { holder, until: now + LEASE_MS }
  const held = await db
    .insertInto('job_leases')
    .values({ name: LEASE, ...lease })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(lease)
        .where(({ or, eb }) =>
          or([eb('job_leases.until', '<=', now), eb('job_leases.holder', '=', holder)]),
        ),
    )
    .returning('name')
    .execute()
  if (held.length === 0) throw new RebuildRefused('another rebuild of the rollups is running')
}

/** Which codes were met on which UTC days: a bit each. */
class CodeDays {
  readonly #numbers = new Map<string, number>()
  readonly #days = new Map<number, Uint8Array>()

  add(codeId: string, day: number) {
    const number = this.#numbers.get(codeId) ?? this.#numbers.size
    this.#numbers.set(codeId, number)
    let bits = this.#days.get(day) ?? new Uint8Array(64)
    if (number >> 3 >= bits.length) {
      const longer = new Uint8Array((number >> 3) * 2)
      longer.set(bits)
      bits = longer
    }
    bits[number >> 3] = (bits[number >> 3] ?? 0) | (1 << (number & 7))
    this.#days.set(day, bits)
  }

  has(codeId: string, day: number): boolean {
    const number = this.#numbers.get(codeId)
    if (number === undefined) return false
    return (((this.#days.get(day)?.[number >> 3] ?? 0) >> (number & 7)) & 1) === 1
  }
}

/** Days of the rollups, each with the codes that the ledger does not have on it. */
async function daysUnseen(db: Db, first: number, seen: CodeDays): Promise<Map<number, string[]>> {
  const unseen = new Map<number, string[]>()
  const days = {
    scan_counts: sql`cast(quarter / ${sql.lit(QUARTERS_A_DAY)} as integer)`,
    scan_facets: sql`day`,
  }
  for (const [table, day] of Object.entries(days)) {
    for (let after = ''; ; ) {
      const last = await codeAfter(db, table, after)
      if (last === undefined) break
      const { rows } = await sql<{ code_id: string; day: number }>`
        select distinct code_id, ${day} as day from ${sql.table(table)}
        where code_id > ${after} and code_id <= ${last}`.execute(db)
      for (const row of rows) {
        if (row.day < first || seen.has(row.code_id, row.day)) continue
        unseen.set(row.day, [...(unseen.get(row.day) ?? []), row.code_id])
      }
      after = last
    }
  }
  return unseen
}

/** The last of the next codes of a table in the order of the ids; undefined after the last one. */
async function codeAfter(db: Db, table: string, codeId: string): Promise<string | undefined> {
  const { rows } = await sql<{ code_id: string }>`
    with recursive ids(code_id, n) as (
      select min(code_id), 1 from ${sql.table(table)} where code_id > ${codeId}
      union all
      select (select min(code_id) from ${sql.table(table)} as t where t.code_id > ids.code_id), n + 1
      from ids where ids.code_id is not null and n < ${sql.lit(CODES)})
    select code_id from ids where code_id is not null order by n desc limit 1`.execute(db)
  return rows[0]?.code_id
}

/** A code that was purged meanwhile has no numbers to mend. */
async function unlessForgotten<Row extends { code_id: string }>(
  tx: Tx,
  rows: Row[],
): Promise<Row[]> {
  const ids = [...new Set(rows.map(({ code_id }) => code_id))]
  const gone = await tx
    .selectFrom('forgotten_codes')
    .select('code_id')
    .where('code_id', 'in', ids)
    .execute()
  const forgotten = new Set(gone.map(({ code_id }) => code_id))
  return rows.filter(({ code_id }) => !forgotten.has(code_id))
}

async function addCounts(tx: Tx, all: CountRow[]) {
  const rows = await unlessForgotten(tx, all)
  if (rows.length === 0) return []
  await tx
    .insertInto('scan_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['code_id', 'quarter']).doUpdateSet((row) => ({
        persons: sql`${row.ref('scan_counts.persons')} + ${row.ref('excluded.persons')}`,
        firsts: sql`${row.ref('scan_counts.firsts')} + ${row.ref('excluded.firsts')}`,
        others: sql`${row.ref('scan_counts.others')} + ${row.ref('excluded.others')}`,
      })),
    )
    .execute()
  for (const { code_id, quarter } of rows) {
    await tx
      .deleteFrom('scan_counts')
      .where('code_id', '=', code_id)
      .where('quarter', '=', quarter)
      .where((row) => row.and({ persons: 0, firsts: 0, others: 0 }))
      .execute()
  }
  return rows.map(({ code_id, quarter }) => ({
    code_id,
    day: Math.floor(quarter / QUARTERS_A_DAY),
  }))
}

async function addFacets(tx: Tx, all: FacetRow[]) {
  const rows = await unlessForgotten(tx, all)
  if (rows.length === 0) return []
  await tx
    .insertInto('scan_facets')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['code_id', 'day', 'facet', 'value']).doUpdateSet((row) => ({
        persons: sql`${row.ref('scan_facets.persons')} + ${row.ref('excluded.persons')}`,
      })),
    )
    .execute()
  for (const { code_id, day, facet, value } of rows) {
    await tx
      .deleteFrom('scan_facets')
      .where((row) => row.and({ code_id, day, facet, value, persons: 0 }))
      .execute()
  }
  return rows
}
