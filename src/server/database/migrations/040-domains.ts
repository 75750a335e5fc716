import type { Kysely } from 'kysely'

/** Hosts of customers, by which their codes are reached. `held` is unique: one claim has a host. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('domains')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('held', 'text', (column) => column.unique())
    .addColumn('secret', 'text', (column) => column.notNull())
    .addColumn('is_default', 'integer', (column) => column.notNull())
    .addColumn('home_url', 'text')
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addColumn('proof_at', 'bigint')
    .addColumn('points_at', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('ends_at', 'bigint')
    .addColumn('checked_at', 'bigint')
    .addColumn('check_at', 'bigint', (column) => column.notNull())
    .addColumn('found', 'text')
    .execute()
  const claims = schema.createIndex('domains_by_owner').on('domains').columns(['user_id', 'host'])
  await claims.unique().execute()
  await schema.createIndex('domains_by_host').on('domains').column('host').execute()
  await schema.createIndex('domains_by_check').on('domains').column('check_at').execute()
}
