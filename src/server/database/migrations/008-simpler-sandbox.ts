import type { Kysely } from 'kysely'

/** The sandbox keeps no credit, tries an unpaid renewal once, and has one kind of event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('sandbox_customers').dropColumn('credit').execute()
  await schema.alterTable('sandbox_subscriptions').dropColumn('failures').execute()
  await schema.alterTable('sandbox_subscriptions').dropColumn('failed_at').execute()
  await schema.alterTable('sandbox_events').dropColumn('type').execute()
}
