import type { Kysely } from 'kysely'

/** Sign-ins at an OpenID Connect provider. One person at a provider opens one account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createIndex('accounts_by_subject')
    .on('accounts')
    .columns(['providerId', 'accountId'])
    .unique()
    .execute()
  await schema
    .createTable('provider_sessions')
    .addColumn('session_id', 'text', (column) =>
      column.primaryKey().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('id_token', 'text', (column) => column.notNull())
    .execute()
}
