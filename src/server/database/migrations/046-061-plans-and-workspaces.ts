import { sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import { index, type Migrations, onSqlite } from './steps.ts'

/** Tables of what a person works on. */
const ofWork = [
  ...['codes', 'logos', 'looks', 'tags', 'domains', 'code_usage', 'subscriptions', 'customers'],
  ...['checkouts', 'payment_records', 'sandbox_customers', 'forgotten_codes', 'scan_packs'],
  ...['shares', 'figure_mails', 'idempotency_keys', 'api_keys', 'connected_apps'],
  ...['webhook_endpoints', 'webhook_events', 'imports'],
]

export const plansAndWorkspaces: Migrations = {
  /** The discount of a subscription, and when an account had its free trial. */
  async '046-discounts-and-trials'({ schema }) {
    await schema.alterTable('subscriptions').addColumn('discount', 'text').execute()
    await schema.alterTable('customers').addColumn('trial_at', 'bigint').execute()
  },

  /** The change of a plan that its provider makes at the end of the paid period. */
  async '047-planned-changes'({ schema }) {
    const subscriptions = schema.alterTable('subscriptions')
    await subscriptions.addColumn('next_tier', 'text').execute()
    await subscriptions.addColumn('next_billing', 'text').execute()
    await subscriptions.addColumn('next_at', 'bigint').execute()
  },

  /** An account's payments, refunds, disputes and cancellations; and since when receipts are mailed. */
  async '048-payment-records'(db) {
    const { schema } = db
    await schema
      .createTable('payment_records')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint')
      .addColumn('currency', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('comment', 'text')
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'payment_records_user', 'payment_records', ['user_id', 'at'])
    // To the second, like the payments of the provider.
    const at = Math.floor(Date.now() / 1000) * 1000
    await sql`insert into service_marks (name, at, value) values ('receipts', ${at}, '')`.execute(
      db,
    )
  },

  /** When a subscription ended, which can be later than the day until which it was paid. */
  async '049-ended-subscriptions'({ schema }) {
    await schema.alterTable('subscriptions').addColumn('ended_at', 'bigint').execute()
  },

  /** When the owner last proved in a session that it is them: by a password, or by adding a passkey. */
  async '050-proved-sessions'({ schema }) {
    await schema.alterTable('sessions').addColumn('proved_at', 'bigint').execute()
  },

  /** Rows of a file keep what their codes were elsewhere: paused, with other names, an id and a design. */
  async '052-kept-parts'({ schema }) {
    await schema.alterTable('import_rows').addColumn('kept', 'text').execute()
  },

  /** A proxy that writes a port made whole addresses pass for shortened ones: these go. */
  async '053-shortened-addresses'(db) {
    await sql`
      update audit_entries set address = null
      where address like '%.%:%::'`.execute(db)
    await sql`
      update sessions set "ipAddress" = null
      where "ipAddress" like '%.%:%::'`.execute(db)
  },

  /**
   * The UTM parameters of a scan's destination, as one word. Scans before the UTC day of the mark noted none,
   * and a scan without them from then on met none.
   */
  async '054-utm-of-scans'(db) {
    const { schema } = db
    await schema.alterTable('scans').addColumn('utm', 'text').execute()
    const tomorrow = Math.floor(Date.now() / DAY_MS) + 1
    await sql`insert into ledger_marks (name, at, place)
      select 'utm-from', ${sql.lit(tomorrow)}, '' from (select 1 from scans limit 1) as scanned`.execute(
      db,
    )
  },

  /** Whether a code's redirect has the parameters of the link that was scanned. */
  async '056-passed-parameters'({ schema }) {
    await schema
      .alterTable('codes')
      .addColumn('pass_query', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },

  /** The plan that a subscription of the sandbox has from its next period on. */
  async '057-sandbox-changes'({ schema }) {
    const subscriptions = schema.alterTable('sandbox_subscriptions')
    await subscriptions.addColumn('next_tier', 'text').execute()
    await subscriptions.addColumn('next_billing', 'text').execute()
  },

  /** The account of a scan, so that a question about an account need not look at its codes. */
  async '058-workspaces-of-scans'({ schema }) {
    await schema.alterTable('scans').addColumn('workspace_id', 'text').execute()
  },

  /** Tables of what a person works on go by the workspace; today it has its person's id, so no row changes. */
  '060-workspaces': {
    /** The version before must be stopped: it asks for the columns by their old name. */
    needsStop: true,
    async up({ schema }) {
      for (const table of ofWork) {
        await schema.alterTable(table).renameColumn('user_id', 'workspace_id').execute()
      }
      await schema.alterTable('audit_entries').addColumn('workspace_id', 'text').execute()
    },
  },

  /** The scope and the resource of an app's token get columns beside the JSON that had them. */
  async '061-scopes-of-tokens'(db) {
    const { schema } = db
    const records = schema.alterTable('oauth_records')
    await records.addColumn('scope', 'text').execute()
    await records.addColumn('resource', 'text').execute()
    const data = onSqlite(db) ? sql`data` : sql`data::json`
    await sql`
      update oauth_records set scope = ${data} ->> 'scope', resource = ${data} ->> 'aud'
      where kind = 'AccessToken'`.execute(db)
  },
}
