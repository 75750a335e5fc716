import { sql } from 'kysely'
import { clusteredTables, index, type Migrations, onSqlite } from './steps.ts'

export const totalsAndShares: Migrations = {
  /** How far each process's journal is folded into the ledger. */
  async '015-journals'({ schema }) {
    await schema
      .createTable('journals')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('segment', 'integer', (column) => column.notNull())
      .addColumn('offset', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },

  /**
   * Totals of codes, so that no report sums all history. They begin empty: a job fills them from the
   * rollups, and a code without a row in totalled_codes is summed from the rollups until then.
   */
  async '016-totals'(db) {
    const { schema } = db
    const clustered = clusteredTables(db)
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
  },

  /** Counts the changes of a code, so that a user cannot overwrite a change that they have not seen. */
  async '017-code-versions'({ schema }) {
    const codes = schema.alterTable('codes')
    await codes.addColumn('version', 'integer', (column) => column.notNull().defaultTo(1)).execute()
  },

  /**
   * The ledger's scans once more, by account and packed by columns, for what no rollup answers. The table
   * begins empty: a job fills it from the ledger.
   */
  async '018-scan-packs'(db) {
    const { schema } = db
    const isSqlite = onSqlite(db)
    const bytes = isSqlite ? 'blob' : 'bytea'
    // Not clustered on SQLite: rows of many kilobytes would fill the pages of the key.
    await schema
      .createTable('scan_packs')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addColumn('rows', 'integer', (column) => column.notNull())
      // Before the scans: SQLite reads a row from its beginning.
      .addColumn('sums', bytes)
      .addColumn('code_sums', bytes)
      .addColumn('data', bytes, (column) => column.notNull())
      .addPrimaryKeyConstraint('scan_packs_key', ['user_id', 'day', 'part'])
      .execute()
    await index(schema, 'scan_packs_day', 'scan_packs', ['day', 'user_id'])
    await schema.alterTable('forgotten_codes').addColumn('user_id', 'text').execute()
    if (!isSqlite) {
      // Dictionaries and numbers of one or two bytes: PostgreSQL's compression would find little.
      await sql`alter table scan_packs alter column data set storage external`.execute(db)
    }
  },

  /** Links to a code's figures, for all who have the link. */
  async '019-shares'({ schema }) {
    await schema
      .createTable('shares')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('opened_at', 'bigint')
      .execute()
    await index(schema, 'shares_by_owner', 'shares', ['user_id', 'code_id'])
    await index(schema, 'shares_by_code', 'shares', ['code_id'])
    await index(schema, 'shares_by_end', 'shares', ['ends_at'])
  },

  /** Accounts that are mailed their figures, and up to which day they were. */
  async '020-figure-mails'({ schema }) {
    await schema
      .createTable('figure_mails')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('every', 'text', (column) => column.notNull())
      .addColumn('time_zone', 'text', (column) => column.notNull())
      .addColumn('told_until', 'text', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'figure_mails_by_turn', 'figure_mails', ['next_at'])
  },
}
