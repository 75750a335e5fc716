import type { Kysely } from 'kysely'

/** The tables that the sandbox has in place of Stripe. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sandbox_customers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().unique())
    .addColumn('card', 'text')
    .addColumn('credit', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('clock_offset', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('sandbox_sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('tier', 'text')
    .addColumn('billing', 'text')
    .addColumn('subscription_id', 'text')
    .addColumn('done_url', 'text', (column) => column.notNull())
    .addColumn('back_url', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await index(db, 'sandbox_sessions', 'customer_id')

  await db.schema
    .createTable('sandbox_subscriptions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull())
    .addColumn('tier', 'text', (column) => column.notNull())
    .addColumn('billing', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('anchor_at', 'bigint', (column) => column.notNull())
    .addColumn('period_start', 'bigint', (column) => column.notNull())
    .addColumn('period_end', 'bigint', (column) => column.notNull())
    .addColumn('ends_at_period_end', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failed_at', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await index(db, 'sandbox_subscriptions', 'customer_id')

  await db.schema
    .createTable('sandbox_invoices')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull())
    .addColumn('serial', 'integer', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addUniqueConstraint('sandbox_invoices_serial', ['customer_id', 'serial'])
    .execute()

  await db.schema
    .createTable('sandbox_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('customer_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
}

async function index(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  await db.schema.createIndex(`${table}_${column}`).on(table).column(column).execute()
}
