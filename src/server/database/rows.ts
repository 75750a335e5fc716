import type {
  DeleteQueryBuilder,
  DeleteResult,
  ExpressionBuilder,
  InsertObject,
  Selectable,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { Db, Tables } from './schema.ts'
import { changesRow } from './transact.ts'

/*
 * Statements about the rows of a table that have these values in their columns; null finds null. The caller adds
 * the rest, and runs them.
 */

type Values<Name extends keyof Tables> = Partial<Selectable<Tables[Name]>>

/** A condition. Kysely's own `and` leaves undefined values out, so that they would find every row: here they find none. */
const matching = (values: object) => (row: ExpressionBuilder<Tables, 'users'>) =>
  row.and(
    Object.entries(values).map(([column, value]) =>
      row(column as 'id', value === null ? 'is' : '=', value ?? null),
    ),
  )

export function rowsWhere<Name extends keyof Tables>(db: Db, table: Name, values: Values<Name>) {
  const rows = db.selectFrom(table as 'users').selectAll()
  const found: unknown = rows.where(matching(values))
  return found as SelectQueryBuilder<Tables, Name, Selectable<Tables[Name]>>
}

export function updateWhere<Name extends keyof Tables>(db: Db, table: Name, values: Values<Name>) {
  const rows = db.updateTable(table as 'users')
  const found: unknown = rows.where(matching(values))
  return found as UpdateQueryBuilder<Tables, Name, Name, UpdateResult>
}

export function deleteWhere<Name extends keyof Tables>(db: Db, table: Name, values: Values<Name>) {
  const rows = db.deleteFrom(table as 'users')
  const found: unknown = rows.where(matching(values))
  return found as DeleteQueryBuilder<Tables, Name, DeleteResult>
}

export async function countWhere<Name extends keyof Tables>(
  db: Db,
  table: Name,
  values: Values<Name>,
): Promise<number> {
  const rows = rowsWhere(db, table as 'users', values as object).clearSelect()
  const { count } = await rows
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Adds rows but those whose key is there already. Returns whether it has added one. */
export function addNew<Name extends keyof Tables>(
  db: Db,
  table: Name,
  rows: InsertObject<Tables, Name> | InsertObject<Tables, Name>[],
): Promise<boolean> {
  const added = db.insertInto(table as 'users').values(rows as never)
  return changesRow(added.onConflict((conflict) => conflict.doNothing()))
}

/** Adds a row with this key, or changes the one that is there. */
export async function putRow<Name extends keyof Tables>(
  db: Db,
  table: Name,
  key: Values<Name>,
  row: Partial<InsertObject<Tables, Name>>,
): Promise<void> {
  const added = db.insertInto(table as 'users').values({ ...key, ...row } as never)
  const columns = Object.keys(key) as 'id'[]
  await added
    .onConflict((conflict) => conflict.columns(columns).doUpdateSet(row as object))
    .execute()
}

/** Deletes such rows but the newest `max`, which are the last by these columns. */
export async function keepNewest<Name extends keyof Tables>(
  db: Db,
  table: Name,
  values: Values<Name>,
  { key, by, max }: { key: keyof Tables[Name]; by: readonly (keyof Tables[Name])[]; max: number },
): Promise<void> {
  const column = key as 'hash'
  let newest = rowsWhere(db, table as 'known_devices', values as object)
    .clearSelect()
    .select(column)
  for (const each of by) newest = newest.orderBy(each as 'seen_at', 'desc')
  const rest = deleteWhere(db, table as 'known_devices', values as object)
  await rest.where(column, 'not in', newest.limit(max)).execute()
}
