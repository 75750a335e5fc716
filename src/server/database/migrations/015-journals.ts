import type { Kysely } from 'kysely'

/** How far each process's journal is folded into the ledger. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('journals')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('segment', 'integer', (column) => column.notNull())
    .addColumn('offset', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}
