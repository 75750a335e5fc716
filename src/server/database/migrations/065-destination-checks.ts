import { sql } from 'kysely'
import {
  addColumns,
  index,
  type Migrations,
  mayBeConcurrent,
  required,
  requiredKey,
  table,
  withDefault,
} from './steps.ts'

export const destinationChecks: Migrations = {
  /** Whether destinations work, and what the owner of a code wants of that. */
  async '065-destination-checks'({ schema }) {
    await addColumns(schema, 'codes', {
      checks_destination: withDefault('integer', 1),
      fallback_when_dead: withDefault('integer', 0),
      health: 'text',
      health_since: 'bigint',
      health_seen: 'text',
    })
    await table(schema, 'destination_checks', {
      id: requiredKey('text'),
      url: required('text'),
      host: required('text'),
      used_at: required('bigint'),
      due_at: required('bigint'),
      health: 'text',
      since: 'bigint',
      seen: 'text',
      fails: withDefault('integer', 0),
      failing_since: 'bigint',
    }).execute()
    await index(schema, 'destination_checks_due', 'destination_checks', ['due_at'])
  },

  '065-index-of-dead-codes': {
    isOutside: true,
    async up(db) {
      const how = (await mayBeConcurrent(db)) ? sql`concurrently` : sql``
      await sql`drop index ${how} if exists codes_dead`.execute(db)
      const dead = sql`on codes (workspace_id) where health = 'dead'`
      await sql`create index ${how} codes_dead ${dead}`.execute(db)
    },
  },
}
