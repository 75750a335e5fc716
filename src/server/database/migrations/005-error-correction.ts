import type { Kysely } from 'kysely'

/**
 * Error correction and capitals as properties of a code, and what the scan check said of it. Codes
 * of before are what they were: level M, the link in lower case.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const codes = db.schema.alterTable('codes')
  await codes.addColumn('ecc', 'text', (column) => column.notNull().defaultTo('M')).execute()
  await codes.addColumn('compact', 'integer', (column) => column.notNull().defaultTo(0)).execute()
  await codes.addColumn('legibility', 'text').execute()
  await codes.addColumn('legibility_of', 'text').execute()
}
