import type { Kysely } from 'kysely'

/** The discount of a subscription, and when an account had its free trial. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subscriptions').addColumn('discount', 'text').execute()
  await db.schema.alterTable('customers').addColumn('trial_at', 'bigint').execute()
}
