import type { Kysely } from 'kysely'

/** Links to a code's figures, for all who have the link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('shares')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('code_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('opened_at', 'bigint')
    .execute()
  await schema.createIndex('shares_by_owner').on('shares').columns(['user_id', 'code_id']).execute()
  await schema.createIndex('shares_by_code').on('shares').column('code_id').execute()
  await schema.createIndex('shares_by_end').on('shares').column('ends_at').execute()
}
