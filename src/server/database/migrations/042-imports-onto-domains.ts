import { type Kysely, sql } from 'kysely'

/**
 * Imports onto a domain keep capitals. Names with capitals, which are few, are found in any other spelling by an
 * index of their own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('imports').addColumn('domain', 'text').execute()
  await schema.alterTable('imports').addColumn('domain_id', 'text').execute()
  await sql`create index paths_folded on paths (lower(key)) where key <> lower(key)`.execute(db)
}
