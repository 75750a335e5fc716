import { sql } from 'kysely'
import type { Tables, Tx } from './schema.ts'

/** The columns that a statement writes, and the type of each. */
export type Columns<Row> = Record<keyof Row & string, 'text' | 'bigint'>

/** Rows in one statement: their JSON is made in about a millisecond, which a redirect can wait. */
const ROWS_AT_ONCE = 500

/**
 * Inserts rows, as many as there are. All rows of a statement are one parameter, so that a statement of many rows is
 * as short as one of a single row. Both engines have json_each for an object, and `->>` for its members.
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
  const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)))
  const values = sql.join(
    Object.entries(columns).map(
      ([name, type]) => sql`cast(value ->> ${sql.lit(name)} as ${sql.raw(String(type))})`,
    ),
  )
  const inserted = { written: 0, returned: [] as Returned[] }
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    const json = JSON.stringify({ ...rows.slice(start, start + ROWS_AT_ONCE) })
    // SQLite needs the condition to tell `on conflict` from a join.
    const { rows: returned, numAffectedRows } = await sql<Returned>`
      insert into ${sql.table(table)} (${names})
      select ${values} from json_each(${json}) where true ${ending}`.execute(tx)
    inserted.written += Number(numAffectedRows ?? 0)
    inserted.returned.push(...returned)
  }
  return inserted
}
