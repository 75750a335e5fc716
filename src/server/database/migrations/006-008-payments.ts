import {
  addColumns,
  index,
  key,
  type Migrations,
  required,
  table,
  unique,
  withDefault,
} from './steps.ts'

export const payments: Migrations = {
  /** Customers of a payment provider, open payments, and the events that we have handled. */
  async '006-billing'({ schema }) {
    await addColumns(schema, 'subscriptions', {
      provider: 'text',
      subscription_id: 'text',
      billing: 'text',
      ends_at_period_end: withDefault('integer', 0),
    })

    await table(schema, 'customers', {
      user_id: required('text'),
      provider: required('text'),
      customer_id: unique('text'),
      reads_begun: required('integer'),
      read_applied: required('integer'),
      reread_at: required('bigint'),
    })
      .addPrimaryKeyConstraint('customers_key', ['user_id', 'provider'])
      .execute()
    await index(schema, 'customers_due', 'customers', ['reread_at'])

    await table(schema, 'checkouts', {
      user_id: key('text'),
      id: required('text'),
      provider: required('text'),
      tier: required('text'),
      billing: required('text'),
      session_id: 'text',
      url: 'text',
      began_at: required('bigint'),
    }).execute()

    await table(schema, 'billing_events', {
      id: key('text'),
      at: required('bigint'),
    }).execute()
  },

  /** The tables that the sandbox has in place of Stripe. */
  async '007-sandbox'({ schema }) {
    await table(schema, 'sandbox_customers', {
      id: key('text'),
      user_id: unique('text'),
      card: 'text',
      credit: withDefault('integer', 0),
      clock_offset: withDefault('bigint', 0),
    }).execute()

    await table(schema, 'sandbox_sessions', {
      id: key('text'),
      customer_id: required('text'),
      kind: required('text'),
      state: required('text'),
      tier: 'text',
      billing: 'text',
      subscription_id: 'text',
      done_url: required('text'),
      back_url: required('text'),
      expires_at: required('bigint'),
    }).execute()
    await index(schema, 'sandbox_sessions_customer_id', 'sandbox_sessions', ['customer_id'])

    await table(schema, 'sandbox_subscriptions', {
      id: key('text'),
      customer_id: required('text'),
      tier: required('text'),
      billing: required('text'),
      status: required('text'),
      anchor_at: required('bigint'),
      period_start: required('bigint'),
      period_end: required('bigint'),
      ends_at_period_end: required('integer'),
      failures: required('integer'),
      failed_at: 'bigint',
      created_at: required('bigint'),
    }).execute()
    await index(schema, 'sandbox_subscriptions_customer_id', 'sandbox_subscriptions', [
      'customer_id',
    ])

    await table(schema, 'sandbox_invoices', {
      id: key('text'),
      customer_id: required('text'),
      serial: required('integer'),
      at: required('bigint'),
      amount: required('integer'),
      status: required('text'),
    })
      .addUniqueConstraint('sandbox_invoices_serial', ['customer_id', 'serial'])
      .execute()

    await table(schema, 'sandbox_events', {
      id: key('text'),
      customer_id: required('text'),
      type: required('text'),
      at: required('bigint'),
    }).execute()
  },

  /** The sandbox keeps no credit, tries an unpaid renewal once, and has one kind of event. */
  async '008-simpler-sandbox'({ schema }) {
    await schema.alterTable('sandbox_customers').dropColumn('credit').execute()
    await schema.alterTable('sandbox_subscriptions').dropColumn('failures').execute()
    await schema.alterTable('sandbox_subscriptions').dropColumn('failed_at').execute()
    await schema.alterTable('sandbox_events').dropColumn('type').execute()
  },
}
