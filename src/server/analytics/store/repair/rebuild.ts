import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { QUARTERS_A_DAY } from '../../../dates.ts'
import { nextScannedDay } from '../ledger/scan-ids.ts'
import { wholeFrom } from '../ledger/whole-days.ts'
import { Mending } from './mending.ts'

/** Codes whose rollups are compared with the days that were seen at once */
const CODES = 50

export type Rebuilt = { days: number; changed: number }

/**
 * Mends rollups, first visits, totals and packs where they differ from the ledger, on the UTC days whose ledger
 * is whole. It reads a day without a lock and then adds what is lacking in short transactions with rests
 * between them, so it may run beside the service.
 * @throws MendingRefused
 */
export function rebuildRollups(database: Database): Promise<Rebuilt> {
  return Mending.run(database, async (mending) => {
    const { reads } = database
    const first = await wholeFrom(reads)
    const seen = new CodeDays()
    let days = 0
    for (let day = await nextScannedDay(reads, first); day !== undefined; ) {
      for (const codeId of await mending.mendDay(day)) seen.add(codeId, day)
      days++
      day = await nextScannedDay(reads, day + 1)
    }
    for (const [day, codes] of await daysUnseen(reads, first, seen)) {
      await mending.mendDay(day, codes)
    }
    return { days, changed: mending.changed }
  })
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
