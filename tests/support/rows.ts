import type { Selectable } from 'kysely'
import { rowsWhere } from '../../src/server/database/rows.ts'
import type { Db, Tables } from '../../src/server/database/schema.ts'

/** The rows of a table that have these values, in the order of a column. */
export function rowsOf<Name extends keyof Tables>(
  db: Db,
  table: Name,
  values: Partial<Selectable<Tables[Name]>>,
  order?: string & keyof Tables[Name],
): Promise<Selectable<Tables[Name]>[]> {
  const rows = rowsWhere(db, table, values)
  return (order ? rows.orderBy(order as never) : rows).execute()
}

/** Writes rows into a table. */
export async function addRows<Name extends keyof Tables>(
  db: Db,
  table: Name,
  rows: Partial<Tables[Name]> | Partial<Tables[Name]>[],
): Promise<void> {
  await db
    .insertInto(table as 'codes')
    .values(rows as never)
    .execute()
}
