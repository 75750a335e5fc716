import { addColumns, type Migrations, owned, required, saying, table } from './steps.ts'

export const rules: Migrations = {
  /**
   * The owner's own choices for a code beside its destination: its rules as JSON, its dates, the limit of its scans,
   * and where visitors go when it leads nowhere.
   */
  async '062-rules'({ schema }) {
    await addColumns(schema, 'codes', {
      starts_at: 'bigint',
      ends_at: 'bigint',
      scan_limit: 'bigint',
      password: 'text',
      fallback_url: 'text',
      rules: 'text',
    })
    await table(schema, 'counted_scans', {
      code_id: saying('text', (column) =>
        column.primaryKey().references('codes.id').onDelete('cascade'),
      ),
      scans: required('bigint'),
    }).execute()
  },

  /** The id of the rule's variant that a scan took. */
  '063-branches-of-scans': ({ schema }) => addColumns(schema, 'scans', { branch: 'text' }),

  /** The states that codes have had, in their order. A code that was never changed has none. */
  '064-states-of-codes': ({ schema }) =>
    table(schema, 'code_states', {
      id: required('text'),
      code_id: owned('codes.id'),
      number: required('integer'),
      at: required('bigint'),
      actor: 'text',
      actor_name: 'text',
      state: required('text'),
    })
      .addPrimaryKeyConstraint('code_states_key', ['code_id', 'number'])
      .execute(),
}
