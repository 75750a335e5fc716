import type { Kysely } from 'kysely'

/** Apps that people connect to their account, and what the authorization server keeps for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('connected_apps')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
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
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint')
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('oauth_records_key', ['kind', 'id'])
    .execute()
  for (const [name, table, column] of [
    ['connected_apps_user', 'connected_apps', 'user_id'],
    ['connected_apps_client', 'connected_apps', 'client_id'],
    ['oauth_records_user', 'oauth_records', 'user_id'],
    ['oauth_records_app', 'oauth_records', 'app_id'],
    ['oauth_records_end', 'oauth_records', 'ends_at'],
  ] as const) {
    await schema.createIndex(name).on(table).column(column).execute()
  }
}
