import type { Kysely } from 'kysely'

/** When an authenticator app's secret was offered: an unconfirmed one ends. Those of before have none and are over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('second_factors').addColumn('offered_at', 'bigint').execute()
}
