import { sql } from 'kysely'
import {
  addColumns,
  clusteredTables,
  index,
  key,
  type Migrations,
  onSqlite,
  required,
  requiredKey,
  table,
  unique,
  withDefault,
} from './steps.ts'

export const totalsAndShares: Migrations = {
  /** How far each process's journal is folded into the ledger. */
  async '015-journals'({ schema }) {
    await table(schema, 'journals', {
      id: requiredKey('text'),
      segment: required('integer'),
      offset: required('integer'),
      at: required('bigint'),
    }).execute()
  },

  /**
   * Totals of codes, so that no report sums all history. They begin empty: a job fills them from the
   * rollups, and a code without a row in totalled_codes is summed from the rollups until then.
   */
  async '016-totals'(db) {
    const { schema } = db
    const clustered = clusteredTables(db)
    await clustered(
      table(schema, 'scan_totals', {
        code_id: required('text'),
        month: required('integer'),
        persons: required('bigint'),
        firsts: required('bigint'),
        others: required('bigint'),
      }).addPrimaryKeyConstraint('scan_totals_key', ['code_id', 'month']),
    )
    await clustered(
      table(schema, 'facet_totals', {
        code_id: required('text'),
        facet: required('text'),
        value: required('text'),
        persons: required('bigint'),
      }).addPrimaryKeyConstraint('facet_totals_key', ['code_id', 'facet', 'value']),
    )
    await clustered(
      table(schema, 'totalled_codes', {
        code_id: requiredKey('text'),
        until: required('integer'),
      }),
    )
    await table(schema, 'ledger_marks', {
      name: key('text'),
      at: required('bigint'),
      place: withDefault('text', ''),
    }).execute()
    await addColumns(schema, 'forgotten_codes', { begun: withDefault('integer', 0) })
    await addColumns(schema, 'agents', { unused_since: 'bigint' })
  },

  /** Counts the changes of a code, so that a user cannot overwrite a change that they have not seen. */
  '017-code-versions': ({ schema }) =>
    addColumns(schema, 'codes', { version: withDefault('integer', 1) }),

  /**
   * The ledger's scans once more, by account and packed by columns, for what no rollup answers. The table
   * begins empty: a job fills it from the ledger.
   */
  async '018-scan-packs'(db) {
    const { schema } = db
    const isSqlite = onSqlite(db)
    const bytes = isSqlite ? 'blob' : 'bytea'
    // Not clustered on SQLite: rows of many kilobytes would fill the pages of the key.
    await table(schema, 'scan_packs', {
      user_id: required('text'),
      day: required('integer'),
      part: required('text'),
      version: required('bigint'),
      rows: required('integer'),
      // Before the scans: SQLite reads a row from its beginning.
      sums: bytes,
      code_sums: bytes,
      data: required(bytes),
    })
      .addPrimaryKeyConstraint('scan_packs_key', ['user_id', 'day', 'part'])
      .execute()
    await index(schema, 'scan_packs_day', 'scan_packs', ['day', 'user_id'])
    await addColumns(schema, 'forgotten_codes', { user_id: 'text' })
    if (!isSqlite) {
      // Dictionaries and numbers of one or two bytes: PostgreSQL's compression would find little.
      await sql`alter table scan_packs alter column data set storage external`.execute(db)
    }
  },

  /** Links to a code's figures, for all who have the link. */
  async '019-shares'({ schema }) {
    await table(schema, 'shares', {
      id: requiredKey('text'),
      user_id: required('text'),
      code_id: required('text'),
      hash: unique('text'),
      note: required('text'),
      made_at: required('bigint'),
      ends_at: required('bigint'),
      opened_at: 'bigint',
    }).execute()
    await index(schema, 'shares_by_owner', 'shares', ['user_id', 'code_id'])
    await index(schema, 'shares_by_code', 'shares', ['code_id'])
    await index(schema, 'shares_by_end', 'shares', ['ends_at'])
  },

  /** Accounts that are mailed their figures, and up to which day they were. */
  async '020-figure-mails'({ schema }) {
    await table(schema, 'figure_mails', {
      user_id: key('text'),
      every: required('text'),
      time_zone: required('text'),
      told_until: required('text'),
      next_at: required('bigint'),
    }).execute()
    await index(schema, 'figure_mails_by_turn', 'figure_mails', ['next_at'])
  },
}
