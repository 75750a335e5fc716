import type { Db, Tables } from '../../src/server/database/schema.ts'

/** The rows of a table that have these values, in the order of a column. */
export function rowsOf<Name extends keyof Tables>(
  db: Db,
  table: Name,
  values: Partial<Tables[Name]>,
  order?: string & keyof Tables[Name],
): Promise<Tables[Name][]> {
  let query = db.selectFrom(table as 'codes').selectAll()
  for (const [column, value] of Object.entries(values)) {
    query = query.where(column as 'id', '=', value as string)
  }
  if (order) query = query.orderBy(order as 'id')
  return query.execute() as unknown as Promise<Tables[Name][]>
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
