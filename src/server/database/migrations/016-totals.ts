import type { Kysely } from 'kysely'
import { clusteredTables } from './002-scans.ts'

/**
 * Totals of codes, so that no report sums all history. They begin empty: a job fills them from the
 * rollups, and a code without a row in totalled_codes is summed from the rollups until then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const clustered = await clusteredTables(db)
  await clustered(
    schema
      .createTable('scan_totals')
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('month', 'integer', (column) => column.notNull())
      .addColumn('persons', 'bigint', (column) => column.notNull())
      .addColumn('firsts', 'bigint', (column) => column.notNull())
      .addColumn('others', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_totals_key', ['code_id', 'month']),
  )
  await clustered(
    schema
      .createTable('facet_totals')
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('facet', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('persons', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('facet_totals_key', ['code_id', 'facet', 'value']),
  )
  await clustered(
    schema
      .createTable('totalled_codes')
      .addColumn('code_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('until', 'integer', (column) => column.notNull()),
  )
  await schema
    .createTable('ledger_marks')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await schema
    .alterTable('forgotten_codes')
    .addColumn('begun', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('agents').addColumn('unused_since', 'bigint').execute()
}
