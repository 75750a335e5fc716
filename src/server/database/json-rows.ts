import { sql } from 'kysely'
import type { Tables, Tx } from './schema.ts'

/** The columns that a statement writes, and the type of each. */
export type Columns<Row> = Record<keyof Row & string, 'text' | 'bigint'>

/** Rows in one statement: their JSON is made in about a millisecond, which a redirect can wait. */
const ROWS_AT_ONCE = 500

/**
 * Inserts rows, as many as there are. What differs from row to row is one parameter in JSON, and each other value is
 * one of its own, so that a statement of many rows is nearly as short as one of a single row. Both engines have
 * json_each for an object, and `->>` for the items of its members.
 * @param ending what follows the rows, such as `on conflict … do nothing`
 * @returns how many rows were written, and what the ending returns
 */
export async function insertRows<Row extends object, Returned = never>(
  tx: Tx,
  table: keyof Tables,
  columns: Columns<Row>,
  rows: readonly Row[],
  ending = sql<Returned>``,
): Promise<{ written: number; returned: Returned[] }> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const inserted = { written: 0, returned: [] as Returned[] }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE)
    const differing = names.filter((name) => some.some((row) => row[name] !== some[0]?.[name]))
    const values = names.map((name) => {
      const at = differing.indexOf(name)
      const value = at < 0 ? sql`${some[0]?.[name]}` : sql`value ->> ${sql.lit(at)}`
      return sql`cast(${value} as ${sql.raw(columns[name])})`
    })
    const json = JSON.stringify({ ...some.map((row) => differing.map((name) => row[name])) })
    // SQLite needs the condition to tell `on conflict` from a join.
    const { rows: returned, numAffectedRows } = await sql<Returned>`
      insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(values)} from json_each(${json}) where true ${ending}`.execute(tx)
    inserted.written += Number(numAffectedRows ?? 0)
    inserted.returned.push(...returned)
  }
  return inserted
}
