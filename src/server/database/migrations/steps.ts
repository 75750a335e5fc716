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

export const index = (schema: SchemaModule, name: string, table: string, columns: string[]) =>
  schema.createIndex(name).on(table).columns(columns).execute()

/** A column whose row goes with the row that it names. */
export const owned =
  (owner: string): ColumnBuilderCallback =>
  (column) =>
    column.notNull().references(owner).onDelete('cascade')
