import { type CreateTableBuilder, type Kysely, sql } from 'kysely'

/** Webhooks: the addresses, the events that wait for them, and the addresses' answers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const isSqlite = db.getExecutor().adapter.constructor.name === 'SqliteAdapter'
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
  await schema
    .createIndex('webhook_endpoints_of')
    .on('webhook_endpoints')
    .columns(['user_id', 'made_at'])
    .execute()
  await schema
    .createIndex('webhook_endpoints_due')
    .on('webhook_endpoints')
    .column('due_at')
    .execute()
  await schema
    .createIndex('webhook_endpoints_held')
    .on('webhook_endpoints')
    .column('held_until')
    .execute()

  await numbered(schema.createTable('webhook_events'))
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .execute()
  await schema.createIndex('webhook_events_of').on('webhook_events').column('user_id').execute()
  await schema.createIndex('webhook_events_at').on('webhook_events').column('at').execute()

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
  await schema
    .createIndex('webhook_deliveries_of')
    .on('webhook_deliveries')
    .columns(['endpoint_id', 'seq'])
    .execute()
  await schema
    .createIndex('webhook_deliveries_event')
    .on('webhook_deliveries')
    .column('event_seq')
    .execute()
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
}
