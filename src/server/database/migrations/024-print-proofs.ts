import type { Kysely } from 'kysely'

/** Results of photos of a code's prints. They are deleted with the code. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('print_proofs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('code_id', 'text', (column) =>
      column.notNull().references('codes.id').onDelete('cascade'),
    )
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('print_proofs_code')
    .on('print_proofs')
    .columns(['code_id', 'at'])
    .execute()
}
