import { sql } from 'kysely'
import { batchesOf } from '../batches.ts'
import type { Db, Tables } from './schema.ts'

/** Rows in one statement: their JSON is made in about a millisecond, which a redirect can wait. */
const ROWS_AT_ONCE = 500

/**
 * Inserts whole rows, as many as there are. The columns that differ from row to row are one parameter in
 * JSON, and each other value is a parameter of its own, so that a statement of many rows is nearly as
 * short as one of a single row. Both engines have json_each for an object, and `->>` for the items of its
 * members.
 * @param bigints the columns with numbers; all others have text
 * @param ending follows the rows, such as `on conflict … do nothing`
 * @returns how many rows were written
 */
export async function insertRows<Row extends object>(
  db: Db,
  table: keyof Tables,
  bigints: readonly (keyof Row & string)[],
  rows: readonly Row[],
  ending = sql``,
): Promise<number> {
  const names = Object.keys(rows[0] ?? {}) as (keyof Row & string)[]
  let written = 0
  for (const some of batchesOf(rows, ROWS_AT_ONCE)) {
    const differing = names.filter((name) => some.some((row) => row[name] !== some[0]?.[name]))
    const values = names.map((name) => {
      const at = differing.indexOf(name)
      const value = at < 0 ? sql`${some[0]?.[name]}` : sql`value ->> ${sql.lit(at)}`
      return sql`cast(${value} as ${sql.raw(bigints.includes(name) ? 'bigint' : 'text')})`
    })
    const json = JSON.stringify({ ...some.map((row) => differing.map((name) => row[name])) })
    // SQLite needs the condition to tell `on conflict` from a join.
    const { numAffectedRows } = await sql`
      insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(values)} from json_each(${json}) where true ${ending}`.execute(db)
    written += Number(numAffectedRows ?? 0)
  }
  return written
}
