import { type Kysely, sql } from 'kysely'

/**
 * The ledger's scans once more, by account and packed by columns, for what no rollup answers. The table
 * begins empty: a job fills it from the ledger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter'
  const bytes = isSqlite ? 'blob' : 'bytea'
  // Not clustered on SQLite: rows of many kilobytes would fill the pages of the key.
  await schema
    .createTable('scan_packs')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('rows', 'integer', (column) => column.notNull())
    // Before the scans: SQLite reads a row from its beginning.
    .addColumn('sums', bytes)
    .addColumn('code_sums', bytes)
    .addColumn('data', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('scan_packs_key', ['user_id', 'day', 'part'])
    .execute()
  await schema.createIndex('scan_packs_day').on('scan_packs').columns(['day', 'user_id']).execute()
  await schema.alterTable('forgotten_codes').addColumn('user_id', 'text').execute()
  if (!isSqlite) {
    // Dictionaries and numbers of one or two bytes: PostgreSQL's compression would find little.
    await sql`alter table scan_packs alter column data set storage external`.execute(db)
  }
}
