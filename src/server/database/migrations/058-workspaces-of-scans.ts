import type { Kysely } from 'kysely'

/** The account of a scan, so that a question about an account need not look at its codes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('scans').addColumn('workspace_id', 'text').execute()
}
