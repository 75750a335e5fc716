import type { Kysely } from 'kysely'

/** Codes, their public names, the slots that each account uses, plans, and the leases of jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('codes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('vanity_url', 'text')
    .addColumn('short_code', 'text', (column) => column.notNull())
    .addColumn('style', 'text', (column) => column.notNull())
    .addColumn('foreground_color', 'text', (column) => column.notNull())
    .addColumn('background_color', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('saved_at', 'bigint')
    .addColumn('paused_at', 'bigint')
    .addColumn('expires_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('codes_by_owner')
    .on('codes')
    .columns(['user_id', 'created_at'])
    .execute()

  await db.schema
    .createTable('paths')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('code_id', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('paths_by_code').on('paths').column('code_id').execute()

  await db.schema
    .createTable('code_usage')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('used', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('subscriptions')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('current_period_end', 'bigint')
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('job_leases')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute()
}
