import type { Kysely } from 'kysely'

/** Files of codes that were read, and their rows, until all of them become codes at once or none does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imports')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('format', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('columns', 'text', (column) => column.notNull())
    .addColumn('rows', 'integer', (column) => column.notNull())
    .addColumn('problems', 'integer', (column) => column.notNull())
    .addColumn('lost_paths', 'integer', (column) => column.notNull())
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('told', 'integer', (column) => column.notNull())
    .addColumn('wanted', 'text')
    .addColumn('fault', 'text')
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('published_at', 'bigint')
    .addColumn('holder', 'text')
    .addColumn('held_until', 'bigint')
    .execute()
  await db.schema.createIndex('imports_of').on('imports').columns(['user_id', 'made_at']).execute()
  await db.schema.createIndex('imports_state').on('imports').column('state').execute()

  await db.schema
    .createTable('import_rows')
    .addColumn('import_id', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('row', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('path', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('folded', 'text', (column) => column.notNull())
    .addColumn('problems', 'text')
    .addColumn('lost_path', 'text')
    .addColumn('code_id', 'text', (column) => column.notNull())
    .addColumn('short_code', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('import_rows_key', ['import_id', 'n'])
    .execute()
}
