import type { Kysely } from 'kysely'

/** The logos of an account, each once: their pixels, which the server drew from what was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter'
  await db.schema
    .createTable('logos')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('width', 'integer', (column) => column.notNull())
    .addColumn('height', 'integer', (column) => column.notNull())
    .addColumn('reach', 'real', (column) => column.notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('data', isSqlite ? 'blob' : 'bytea', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('logos_key', ['user_id', 'id'])
    .execute()
  await db.schema.createIndex('logos_id').on('logos').column('id').execute()
}
