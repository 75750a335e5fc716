import type { Kysely } from 'kysely'

/** When a subscription ended, which can be later than the day until which it was paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('ended_at', 'bigint').execute()
}
