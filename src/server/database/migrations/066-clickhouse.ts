import { addColumns, type Migrations, withDefault } from './steps.ts'

export const clickhouse: Migrations = {
  /** Which batch of a journal is about to be inserted elsewhere, and how often purged scans were removed there. */
  async '066-clickhouse'({ schema }) {
    await addColumns(schema, 'journals', { until_segment: 'integer', until_offset: 'integer' })
    await addColumns(schema, 'forgotten_codes', { clickhouse_passes: withDefault('integer', 0) })
  },
}
