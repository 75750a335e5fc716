import { hash } from 'node:crypto'
import { type Kysely, type SchemaModule, sql } from 'kysely'
import {
  addColumns,
  index,
  key,
  type Migrations,
  onSqlite,
  owned,
  required,
  requiredKey,
  saying,
  table,
  unique,
} from './steps.ts'

/** Sessions whose tokens are hashed at a time: two parameters each, below the limits of both engines. */
const BATCH = 1000
/** Characters of a token that is not hashed yet; a hash has 43. */
const TOKEN_CHARACTERS = 32

/** An index of the deliveries that are still to be made */
const indexWaiting = (schema: SchemaModule, name: string, columns: string[]) =>
  schema
    .createIndex(name)
    .on('webhook_deliveries')
    .columns(columns)
    .where(sql<boolean>`state = 'waiting'`)
    .execute()

export const webhooksAndImports: Migrations = {
  /** The answers to calls with an Idempotency-Key, so that a repeated call makes nothing twice. */
  async '027-idempotency'({ schema }) {
    await table(schema, 'idempotency_keys', {
      user_id: required('text'),
      key: required('text'),
      digest: required('text'),
      body: required('text'),
      at: required('bigint'),
    })
      .addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'key'])
      .execute()
    await index(schema, 'idempotency_keys_at', 'idempotency_keys', ['at'])
  },

  /** Webhooks: the addresses, the events that wait for them, and the addresses' answers. */
  async '028-webhooks'(db) {
    const { schema } = db
    // Numbers in the order of the commits of one account: no two processes' clocks agree so well.
    const numbered = onSqlite(db)
      ? saying('integer', (column) => column.primaryKey().autoIncrement())
      : saying('bigserial', (column) => column.primaryKey())
    await table(schema, 'webhook_endpoints', {
      id: requiredKey('text'),
      user_id: required('text'),
      url: required('text'),
      types: required('text'),
      secret_no: required('integer'),
      former_until: 'bigint',
      made_at: required('bigint'),
      off_since: 'bigint',
      off_why: 'text',
      fails: required('integer'),
      failing_since: 'bigint',
      rest_until: 'bigint',
      scans_from: required('text'),
      due_at: 'bigint',
      holder: 'text',
      held_until: 'bigint',
    }).execute()
    await index(schema, 'webhook_endpoints_of', 'webhook_endpoints', ['user_id', 'made_at'])
    await index(schema, 'webhook_endpoints_due', 'webhook_endpoints', ['due_at'])
    await index(schema, 'webhook_endpoints_held', 'webhook_endpoints', ['held_until'])

    await table(schema, 'webhook_events', {
      seq: numbered,
      id: unique('text'),
      user_id: required('text'),
      type: required('text'),
      at: required('bigint'),
      payload: required('text'),
    }).execute()
    await index(schema, 'webhook_events_of', 'webhook_events', ['user_id'])
    await index(schema, 'webhook_events_at', 'webhook_events', ['at'])

    await table(schema, 'webhook_deliveries', {
      seq: numbered,
      endpoint_id: required('text'),
      event_seq: required('bigint'),
      line: required('text'),
      state: required('text'),
      attempts: required('integer'),
      next_at: required('bigint'),
      tried_at: 'bigint',
      answer_status: 'integer',
      answer_text: 'text',
      took_ms: 'integer',
    }).execute()
    await index(schema, 'webhook_deliveries_of', 'webhook_deliveries', ['endpoint_id', 'seq'])
    await index(schema, 'webhook_deliveries_event', 'webhook_deliveries', ['event_seq'])
    await indexWaiting(schema, 'webhook_deliveries_waiting', ['endpoint_id', 'seq'])
    await indexWaiting(schema, 'webhook_deliveries_lines', ['endpoint_id', 'line', 'seq'])

    await table(schema, 'webhook_marks', {
      name: requiredKey('text'),
      at: required('bigint'),
      place: required('text'),
    }).execute()
  },

  /** Files of codes that were read, and their rows, until all of them become codes at once or none does. */
  async '029-imports'({ schema }) {
    await table(schema, 'imports', {
      id: requiredKey('text'),
      user_id: required('text'),
      name: required('text'),
      format: required('text'),
      state: required('text'),
      columns: required('text'),
      rows: required('integer'),
      problems: required('integer'),
      lost_paths: required('integer'),
      done: required('integer'),
      told: required('integer'),
      wanted: 'text',
      fault: 'text',
      made_at: required('bigint'),
      published_at: 'bigint',
      holder: 'text',
      held_until: 'bigint',
    }).execute()
    await index(schema, 'imports_of', 'imports', ['user_id', 'made_at'])
    await index(schema, 'imports_state', 'imports', ['state'])

    await table(schema, 'import_rows', {
      import_id: required('text'),
      n: required('integer'),
      row: required('integer'),
      name: required('text'),
      url: required('text'),
      path: 'text',
      tags: required('text'),
      folded: required('text'),
      problems: 'text',
      lost_path: 'text',
      code_id: required('text'),
      short_code: required('text'),
    })
      .addPrimaryKeyConstraint('import_rows_key', ['import_id', 'n'])
      .execute()
  },

  /**
   * A table has the sign-ins that wait for their second step. Sessions keep only a hash of their token, so
   * that a copy of the database opens no account. Nothing has used `verifications` for long.
   */
  async '030-sign-ins'(db) {
    const { schema } = db
    await table(schema, 'sign_ins', {
      hash: key('text'),
      user_id: owned('users.id'),
      method: required('text'),
      state: required('text'),
      attempts: required('integer'),
      expires_at: required('bigint'),
    }).execute()
    await index(schema, 'sign_ins_by_user', 'sign_ins', ['user_id'])
    await schema.dropTable('verifications').execute()
    while (await hashSome(db)) {
      // Until no token is left
    }
  },

  /** When an authenticator app's secret was offered: an unconfirmed one ends. Those of before have none and are over. */
  '031-second-step-offers': ({ schema }) =>
    addColumns(schema, 'second_factors', { offered_at: 'bigint' }),

  /**
   * Deliveries go out by their due time, no more in lines that keep the order of one code's events: `line`
   * becomes the event's type. A webhook that another version was sending to is due.
   */
  async '032-due-deliveries'(db) {
    const { schema } = db
    await indexWaiting(schema, 'webhook_deliveries_due', ['endpoint_id', 'next_at'])
    await sql`update webhook_deliveries set line =
      (select type from webhook_events where webhook_events.seq = webhook_deliveries.event_seq)
      where state = 'waiting'`.execute(db)
    await sql`update webhook_endpoints set due_at = 0 where due_at is null`.execute(db)
  },

  /** Codes of a file get their short codes and tags when they are created, like all others. */
  async '033-import-rows'({ schema }) {
    await schema.alterTable('import_rows').dropColumn('folded').execute()
    await schema.alterTable('import_rows').dropColumn('short_code').execute()
  },
}

/** @returns whether there was one */
async function hashSome(db: Kysely<unknown>): Promise<boolean> {
  const plain = sql<{ id: string; token: string }>`select id, token from sessions
    where length(token) = ${TOKEN_CHARACTERS} limit ${BATCH}`
  const { rows } = await plain.execute(db)
  if (rows.length === 0) return false
  const pairs = rows.map(({ id, token }) => sql`(${id}, ${hash('sha256', token, 'base64url')})`)
  await sql`with hashed (id, token) as (values ${sql.join(pairs)})
    update sessions set token = hashed.token from hashed where sessions.id = hashed.id`.execute(db)
  return true
}
