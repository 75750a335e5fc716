import type { Kysely } from 'kysely'

/** The locale of an account's mails, and what its owner shows on paused and expired codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['locale', 'shown_name', 'shown_contact']) {
    await db.schema.alterTable('users').addColumn(column, 'text').execute()
  }
}
