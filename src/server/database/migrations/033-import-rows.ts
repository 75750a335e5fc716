import type { Kysely } from 'kysely'

/** Codes of a file get their short codes and tags when they are created, like all others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_rows').dropColumn('folded').execute()
  await db.schema.alterTable('import_rows').dropColumn('short_code').execute()
}
