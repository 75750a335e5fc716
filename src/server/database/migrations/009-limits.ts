import type { Kysely } from 'kysely'

/**
 * One table counts what is limited. It replaces those of failed sign-ins and of Better Auth's own limit.
 * An index finds the codes in a bin.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('limit_counts')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('who', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('limit_counts_key', ['name', 'who'])
    .execute()
  await schema
    .createIndex('limit_counts_by_age')
    .on('limit_counts')
    .columns(['name', 'since'])
    .execute()
  await schema
    .createIndex('codes_in_bin')
    .on('codes')
    .columns(['user_id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .execute()
  await schema.dropTable('sign_in_failures').ifExists().execute()
  await schema.dropTable('auth_rate_limits').ifExists().execute()
}
