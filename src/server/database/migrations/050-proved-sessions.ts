import type { Kysely } from 'kysely'

/** When the owner last proved in a session that it is them: by a password, or by adding a passkey. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('proved_at', 'bigint').execute()
}
