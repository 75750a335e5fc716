import type { Kysely } from 'kysely'

/** An invoice of the sandbox names the plan that was paid; older ones do not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('sandbox_invoices').addColumn('tier', 'text').execute()
  await schema.alterTable('sandbox_invoices').addColumn('billing', 'text').execute()
}
