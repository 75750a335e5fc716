import type { Kysely } from 'kysely'

/** Rows of a file keep what their codes were elsewhere: paused, with other names, an id and a design. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_rows').addColumn('kept', 'text').execute()
}
