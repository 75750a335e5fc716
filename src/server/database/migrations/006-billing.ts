import type { Kysely } from 'kysely'

/** Customers of a payment provider, open payments, and the events that we have handled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const subscriptions = db.schema.alterTable('subscriptions')
  await subscriptions.addColumn('provider', 'text').execute()
  await subscriptions.addColumn('subscription_id', 'text').execute()
  await subscriptions.addColumn('billing', 'text').execute()
  await subscriptions
    .addColumn('ends_at_period_end', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('customers')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('customer_id', 'text', (column) => column.notNull().unique())
    .addColumn('reads_begun', 'integer', (column) => column.notNull())
    .addColumn('read_applied', 'integer', (column) => column.notNull())
    .addColumn('reread_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('customers_key', ['user_id', 'provider'])
    .execute()
  await db.schema.createIndex('customers_due').on('customers').column('reread_at').execute()

  await db.schema
    .createTable('checkouts')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('provider', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('billing', 'text', (column) => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('url', 'text')
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('billing_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}
