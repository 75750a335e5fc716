import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Notes about the whole database, and keys and share links that wait for their owner after a restore. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('service_marks')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await schema.alterTable('api_keys').addColumn('paused_at', 'bigint').execute()
  await schema.alterTable('shares').addColumn('paused_at', 'bigint').execute()
  // As many digits as SQLite has, so that a copy on the other engine is the same.
  if (db.getExecutor().adapter instanceof PostgresAdapter)
    await sql`alter table logos alter column reach type double precision`.execute(db)
}
