import type { Kysely } from 'kysely'

/** Apps that people connect to their account, and what the authorization server keeps for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('connected_apps')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await schema
    .createTable('oauth_records')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('app_id', 'text')
    .addColumn('data', 'text', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('oauth_records_key', ['kind', 'id'])
    .execute()
  await schema.createIndex('connected_apps_user').on('connected_apps').column('user_id').execute()
  await schema.createIndex('oauth_records_app').on('oauth_records').column('app_id').execute()
  await schema.createIndex('oauth_records_end').on('oauth_records').column('ends_at').execute()
}
