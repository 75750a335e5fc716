import type { Kysely } from 'kysely'

/**
 * A code's error correction, whether its link is in capitals, and the verdict of its scan check.
 * Older codes keep what they had: level M and a link in lower case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const codes = db.schema.alterTable('codes')
  await codes.addColumn('ecc', 'text', (column) => column.notNull().defaultTo('M')).execute()
  await codes.addColumn('compact', 'integer', (column) => column.notNull().defaultTo(0)).execute()
  await codes.addColumn('legibility', 'text').execute()
  await codes.addColumn('legibility_of', 'text').execute()
}
