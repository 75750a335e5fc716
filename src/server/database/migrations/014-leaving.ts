import type { Kysely } from 'kysely'

/** Accounts that are about to be deleted, and what people have been told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('deletions')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('plan_stopped_at', 'bigint')
    .addColumn('warned_at', 'bigint')
    .addColumn('purge_began_at', 'bigint')
    .addColumn('pseudonym', 'text')
    .execute()
  await schema.createIndex('deletions_by_due').on('deletions').column('due_at').execute()

  await schema
    .createTable('notices')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('notices_key', ['user_id', 'kind', 'about'])
    .execute()
  await schema.createIndex('notices_by_age').on('notices').column('sent_at').execute()
  await schema.createIndex('codes_by_expiry').on('codes').column('expires_at').execute()
}
