import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** The ledger of scans and its rollups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const clustered = await clusteredTables(db)

  await clustered(
    db.schema
      .createTable('scans')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('class', 'text', (column) => column.notNull())
      .addColumn('rule', 'text', (column) => column.notNull())
      .addColumn('country', 'text')
      .addColumn('region', 'text')
      .addColumn('city', 'text')
      .addColumn('device', 'text')
      .addColumn('os', 'text')
      .addColumn('browser', 'text')
      .addColumn('referrer', 'text')
      .addColumn('language', 'text')
      .addColumn('agent', 'bigint')
      .addColumn('visitor', 'text')
      .addColumn('first', 'integer', (column) => column.notNull()),
  )
  await db.schema
    .createTable('forgotten_codes')
    .addColumn('code_id', 'text', (column) => column.primaryKey())
    .execute()

  await db.schema
    .createTable('agents')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('text', 'text', (column) => column.notNull())
    .execute()

  await clustered(
    db.schema
      .createTable('visitors')
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('visitor', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('visitors_key', ['day', 'code_id', 'visitor']),
  )

  await db.schema
    .createTable('visitor_salts')
    .addColumn('day', 'integer', (column) => column.primaryKey())
    .addColumn('salt', 'text', (column) => column.notNull())
    .execute()

  await clustered(
    db.schema
      .createTable('scan_counts')
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('quarter', 'integer', (column) => column.notNull())
      .addColumn('persons', 'bigint', (column) => column.notNull())
      .addColumn('firsts', 'bigint', (column) => column.notNull())
      .addColumn('others', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_counts_key', ['code_id', 'quarter']),
  )

  await clustered(
    db.schema
      .createTable('scan_facets')
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('facet', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('persons', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_facets_key', ['code_id', 'day', 'facet', 'value']),
  )
}

/** SQLite can store a table's rows in the order of its primary key, which saves a second tree at each write. */
export async function clusteredTables(db: Kysely<unknown>) {
  const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter'
  return (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute()
}
