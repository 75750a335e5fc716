import type { Kysely } from 'kysely'

/** The change of a plan that its provider makes at the end of the paid period. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const subscriptions = db.schema.alterTable('subscriptions')
  await subscriptions.addColumn('next_tier', 'text').execute()
  await subscriptions.addColumn('next_billing', 'text').execute()
  await subscriptions.addColumn('next_at', 'bigint').execute()
}
