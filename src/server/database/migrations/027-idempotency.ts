import type { Kysely } from 'kysely'

/** The answers to calls with an Idempotency-Key, so that a repeated call makes nothing twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['user_id', 'key'])
    .execute()
  await db.schema.createIndex('idempotency_keys_at').on('idempotency_keys').column('at').execute()
}
