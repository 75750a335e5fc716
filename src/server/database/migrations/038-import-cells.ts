import { type Kysely, sql } from 'kysely'

/**
 * Rows of a file keep their cells, so that one can be changed and the file be read again, and say what they lose.
 * Files that are not imported yet have no cells: their owners send them again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('imports')
    .addColumn('encoding', 'text', (column) => column.notNull().defaultTo('utf-8'))
    .execute()
  await db.schema
    .alterTable('imports')
    .addColumn('losses', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('import_rows').addColumn('created_at', 'bigint').execute()
  await db.schema.alterTable('import_rows').addColumn('losses', 'text').execute()
  await db.schema
    .alterTable('import_rows')
    .addColumn('cells', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute()
  await sql`update imports set losses = lost_paths`.execute(db)
  await sql`update imports set state = 'abandoned' where state in ('reading', 'checked')`.execute(
    db,
  )
}
