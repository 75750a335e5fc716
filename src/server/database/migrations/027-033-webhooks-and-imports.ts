import { hash } from 'node:crypto'
import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { index, type Migrations, onSqlite, owned } from './steps.ts'

/** Sessions whose tokens are hashed at a time: two parameters each, below the limits of both engines. */
const BATCH = 1000
/** Characters of a token that is not hashed yet; a hash has 43. */
const TOKEN_CHARACTERS = 32

export const webhooksAndImports: Migrations = {
  /** The answers to calls with an Idempotency-Key, so that a repeated call makes nothing twice. */
  async '027-idempotency'({ schema }) {
    await schema
      .createTable('idempotency_keys')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'key'])
      .execute()
    await index(schema, 'idempotency_keys_at', 'idempotency_keys', ['at'])
  },

  /** Webhooks: the addresses, the events that wait for them, and the addresses' answers. */
  async '028-webhooks'(db) {
    const { schema } = db
    const isSqlite = onSqlite(db)
    // Numbers in the order of the commits of one account: no two processes' clocks agree so well.
    const numbered = <T extends string>(table: CreateTableBuilder<T>) =>
      isSqlite
        ? table.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        : table.addColumn('seq', 'bigserial', (column) => column.primaryKey())
    await schema
      .createTable('webhook_endpoints')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('types', 'text', (column) => column.notNull())
      .addColumn('secret_no', 'integer', (column) => column.notNull())
      .addColumn('former_until', 'bigint')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('off_since', 'bigint')
      .addColumn('off_why', 'text')
      .addColumn('fails', 'integer', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('rest_until', 'bigint')
      .addColumn('scans_from', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('holder', 'text')
      .addColumn('held_until', 'bigint')
      .execute()
    await index(schema, 'webhook_endpoints_of', 'webhook_endpoints', ['user_id', 'made_at'])
    await index(schema, 'webhook_endpoints_due', 'webhook_endpoints', ['due_at'])
    await index(schema, 'webhook_endpoints_held', 'webhook_endpoints', ['held_until'])

    await numbered(schema.createTable('webhook_events'))
      .addColumn('id', 'text', (column) => column.notNull().unique())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('payload', 'text', (column) => column.notNull())
      .execute()
    await index(schema, 'webhook_events_of', 'webhook_events', ['user_id'])
    await index(schema, 'webhook_events_at', 'webhook_events', ['at'])

    await numbered(schema.createTable('webhook_deliveries'))
      .addColumn('endpoint_id', 'text', (column) => column.notNull())
      .addColumn('event_seq', 'bigint', (column) => column.notNull())
      .addColumn('line', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .addColumn('tried_at', 'bigint')
      .addColumn('answer_status', 'integer')
      .addColumn('answer_text', 'text')
      .addColumn('took_ms', 'integer')
      .execute()
    await index(schema, 'webhook_deliveries_of', 'webhook_deliveries', ['endpoint_id', 'seq'])
    await index(schema, 'webhook_deliveries_event', 'webhook_deliveries', ['event_seq'])
    await schema
      .createIndex('webhook_deliveries_waiting')
      .on('webhook_deliveries')
      .columns(['endpoint_id', 'seq'])
      .where(sql<boolean>`state = 'waiting'`)
      .execute()
    await schema
      .createIndex('webhook_deliveries_lines')
      .on('webhook_deliveries')
      .columns(['endpoint_id', 'line', 'seq'])
      .where(sql<boolean>`state = 'waiting'`)
      .execute()

    await schema
      .createTable('webhook_marks')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('place', 'text', (column) => column.notNull())
      .execute()
  },

  /** Files of codes that were read, and their rows, until all of them become codes at once or none does. */
  async '029-imports'({ schema }) {
    await schema
      .createTable('imports')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('columns', 'text', (column) => column.notNull())
      .addColumn('rows', 'integer', (column) => column.notNull())
      .addColumn('problems', 'integer', (column) => column.notNull())
      .addColumn('lost_paths', 'integer', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('told', 'integer', (column) => column.notNull())
      .addColumn('wanted', 'text')
      .addColumn('fault', 'text')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('published_at', 'bigint')
      .addColumn('holder', 'text')
      .addColumn('held_until', 'bigint')
      .execute()
    await index(schema, 'imports_of', 'imports', ['user_id', 'made_at'])
    await index(schema, 'imports_state', 'imports', ['state'])

    await schema
      .createTable('import_rows')
      .addColumn('import_id', 'text', (column) => column.notNull())
      .addColumn('n', 'integer', (column) => column.notNull())
      .addColumn('row', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('path', 'text')
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('folded', 'text', (column) => column.notNull())
      .addColumn('problems', 'text')
      .addColumn('lost_path', 'text')
      .addColumn('code_id', 'text', (column) => column.notNull())
      .addColumn('short_code', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('import_rows_key', ['import_id', 'n'])
      .execute()
  },

  /**
   * A table has the sign-ins that wait for their second step. Sessions keep only a hash of their token, so
   * that a copy of the database opens no account. Nothing has used `verifications` for long.
   */
  async '030-sign-ins'(db) {
    const { schema } = db
    await schema
      .createTable('sign_ins')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', owned('users.id'))
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'sign_ins_by_user', 'sign_ins', ['user_id'])
    await schema.dropTable('verifications').execute()
    while (await hashSome(db)) {
      // Until no token is left
    }
  },

  /** When an authenticator app's secret was offered: an unconfirmed one ends. Those of before have none and are over. */
  async '031-second-step-offers'({ schema }) {
    await schema.alterTable('second_factors').addColumn('offered_at', 'bigint').execute()
  },

  /**
   * Deliveries go out by their due time, no more in lines that keep the order of one code's events: `line`
   * becomes the event's type. A webhook that another version was sending to is due.
   */
  async '032-due-deliveries'(db) {
    const { schema } = db
    await schema
      .createIndex('webhook_deliveries_due')
      .on('webhook_deliveries')
      .columns(['endpoint_id', 'next_at'])
      .where(sql<boolean>`state = 'waiting'`)
      .execute()
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
