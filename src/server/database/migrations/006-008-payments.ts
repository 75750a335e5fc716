import { index, type Migrations } from './steps.ts'

export const payments: Migrations = {
  /** Customers of a payment provider, open payments, and the events that we have handled. */
  async '006-billing'({ schema }) {
    const subscriptions = schema.alterTable('subscriptions')
    await subscriptions.addColumn('provider', 'text').execute()
    await subscriptions.addColumn('subscription_id', 'text').execute()
    await subscriptions.addColumn('billing', 'text').execute()
    await subscriptions
      .addColumn('ends_at_period_end', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()

    await schema
      .createTable('customers')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('customer_id', 'text', (column) => column.notNull().unique())
      .addColumn('reads_begun', 'integer', (column) => column.notNull())
      .addColumn('read_applied', 'integer', (column) => column.notNull())
      .addColumn('reread_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('customers_key', ['user_id', 'provider'])
      .execute()
    await index(schema, 'customers_due', 'customers', ['reread_at'])

    await schema
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

    await schema
      .createTable('billing_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },

  /** The tables that the sandbox has in place of Stripe. */
  async '007-sandbox'({ schema }) {
    await schema
      .createTable('sandbox_customers')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull().unique())
      .addColumn('card', 'text')
      .addColumn('credit', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('clock_offset', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()

    await schema
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
    await index(schema, 'sandbox_sessions_customer_id', 'sandbox_sessions', ['customer_id'])

    await schema
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
    await index(schema, 'sandbox_subscriptions_customer_id', 'sandbox_subscriptions', [
      'customer_id',
    ])

    await schema
      .createTable('sandbox_invoices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('serial', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('amount', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addUniqueConstraint('sandbox_invoices_serial', ['customer_id', 'serial'])
      .execute()

    await schema
      .createTable('sandbox_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('customer_id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
  },

  /** The sandbox keeps no credit, tries an unpaid renewal once, and has one kind of event. */
  async '008-simpler-sandbox'({ schema }) {
    await schema.alterTable('sandbox_customers').dropColumn('credit').execute()
    await schema.alterTable('sandbox_subscriptions').dropColumn('failures').execute()
    await schema.alterTable('sandbox_subscriptions').dropColumn('failed_at').execute()
    await schema.alterTable('sandbox_events').dropColumn('type').execute()
  },
}
