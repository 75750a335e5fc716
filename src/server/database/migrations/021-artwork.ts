import type { Kysely } from 'kysely'

/** A code's shapes, gradient, margin, logo and frame as JSON. Older codes have none of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('codes').addColumn('artwork', 'text').execute()
}
