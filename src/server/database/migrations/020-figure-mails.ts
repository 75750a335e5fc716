import type { Kysely } from 'kysely'

/** Accounts that are mailed their figures, and up to which day they were. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('figure_mails')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('every', 'text', (column) => column.notNull())
    .addColumn('time_zone', 'text', (column) => column.notNull())
    .addColumn('told_until', 'text', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('figure_mails_by_turn').on('figure_mails').column('next_at').execute()
}
