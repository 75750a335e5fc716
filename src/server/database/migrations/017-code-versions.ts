import type { Kysely } from 'kysely'

/** Counts the changes of a code, so that a user cannot overwrite a change that they have not seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const codes = db.schema.alterTable('codes')
  await codes.addColumn('version', 'integer', (column) => column.notNull().defaultTo(1)).execute()
}
