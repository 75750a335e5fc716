import type { Kysely } from 'kysely'

/** The plan that a subscription of the sandbox has from its next period on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const subscriptions = db.schema.alterTable('sandbox_subscriptions')
  await subscriptions.addColumn('next_tier', 'text').execute()
  await subscriptions.addColumn('next_billing', 'text').execute()
}
