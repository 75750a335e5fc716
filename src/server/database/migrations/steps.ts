import {
  type ColumnBuilderCallback,
  type CreateTableBuilder,
  type Kysely,
  type SchemaModule,
  sql,
} from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A migration of ours. `isOutside` says that it runs outside a transaction, as concurrent indexes have to
 * on PostgreSQL: it must be safe to repeat. `needsStop` says that the version before cannot serve beside it.
 */
export type OwnMigration = Migration & { isOutside?: boolean; needsStop?: boolean }

/** Migrations by their names, which are in databases and never change. */
export type Migrations = Record<string, OwnMigration | ((db: Kysely<unknown>) => Promise<void>)>

export const onSqlite = (db: Kysely<unknown>) =>
  db.getExecutor().adapter.constructor.name === 'SqliteAdapter'

/** SQLite can store a table's rows in the order of its primary key, which saves a second tree at each write. */
export function clusteredTables(db: Kysely<unknown>) {
  const isSqlite = onSqlite(db)
  return (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute()
}

/** Whether an index may be made beside writers: on PostgreSQL, but for a restore, which is one transaction. */
export async function mayBeConcurrent(db: Kysely<unknown>): Promise<boolean> {
  if (onSqlite(db)) return false
  const asked = sql<{
    isInside: boolean
  }>`select txid_current_if_assigned() is not null as "isInside"`
  return !(await asked.execute(db)).rows[0]?.isInside
}

export const index = (schema: SchemaModule, name: string, table: string, columns: string[]) =>
  schema.createIndex(name).on(table).columns(columns).execute()

type DataType = Parameters<CreateTableBuilder<string>['addColumn']>[1]
/** A column's type, with what else the column says */
type Column = DataType | ReturnType<typeof saying>

export const saying = (type: DataType, more: ColumnBuilderCallback) => [type, more] as const

export const required = (type: DataType) => saying(type, (column) => column.notNull())

export const key = (type: DataType) => saying(type, (column) => column.primaryKey())

export const requiredKey = (type: DataType) =>
  saying(type, (column) => column.primaryKey().notNull())

export const unique = (type: DataType) => saying(type, (column) => column.notNull().unique())

export const withDefault = (type: DataType, value: string | number) =>
  saying(type, (column) => column.notNull().defaultTo(value))

/** A column whose row goes with the row that it names. */
export const owned = (owner: string) =>
  saying('text', (column) => column.notNull().references(owner).onDelete('cascade'))

/** A table with these columns in their order. */
export function table(schema: SchemaModule, name: string, columns: Record<string, Column>) {
  let made: CreateTableBuilder<string, string> = schema.createTable(name)
  for (const [column, type] of Object.entries(columns)) {
    const [kind, more] = Array.isArray(type) ? type : [type]
    made = made.addColumn(column, kind, more)
  }
  return made
}

/** Adds columns in their order, each by a statement of its own. */
export async function addColumns(
  schema: SchemaModule,
  name: string,
  columns: Record<string, Column>,
): Promise<void> {
  for (const [column, type] of Object.entries(columns)) {
    const [kind, more] = Array.isArray(type) ? type : [type]
    await schema.alterTable(name).addColumn(column, kind, more).execute()
  }
}
