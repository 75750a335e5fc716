import type { Kysely } from 'kysely'

/** Whether a code's redirect has the parameters of the link that was scanned. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('codes')
    .addColumn('pass_query', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
