import { type Kysely, sql } from 'kysely'

/** Mails with a link (0) go before notices (1), and each kind has its own room in the queue. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('mails')
    .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update mails set priority = 0 where kind in
    ('reset-password', 'sign-in', 'verify-email', 'approve-email', 'prove-email')`.execute(db)
  await db.schema.dropIndex('mails_by_turn').execute()
  await db.schema
    .createIndex('mails_by_priority')
    .on('mails')
    .columns(['priority', 'next_at'])
    .execute()
  await db.schema
    .createIndex('mails_by_kind')
    .on('mails')
    .columns(['kind', 'recipient', 'created_at'])
    .execute()
}
