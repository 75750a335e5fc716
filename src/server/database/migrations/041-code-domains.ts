import type { Kysely } from 'kysely'

/** Codes have their links on a domain of their owner. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('codes').addColumn('domain', 'text').execute()
  await schema.alterTable('codes').addColumn('domain_id', 'text').execute()
}
