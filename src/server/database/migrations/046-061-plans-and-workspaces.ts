import { sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import {
  addColumns,
  index,
  type Migrations,
  onSqlite,
  required,
  requiredKey,
  table,
  withDefault,
} from './steps.ts'

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
    await addColumns(schema, 'subscriptions', { discount: 'text' })
    await addColumns(schema, 'customers', { trial_at: 'bigint' })
  },

  /** The change of a plan that its provider makes at the end of the paid period. */
  '047-planned-changes': ({ schema }) =>
    addColumns(schema, 'subscriptions', {
      next_tier: 'text',
      next_billing: 'text',
      next_at: 'bigint',
    }),

  /** An account's payments, refunds, disputes and cancellations; and since when receipts are mailed. */
  async '048-payment-records'(db) {
    const { schema } = db
    await table(schema, 'payment_records', {
      id: requiredKey('text'),
      user_id: required('text'),
      provider: required('text'),
      kind: required('text'),
      amount: 'bigint',
      currency: 'text',
      status: required('text'),
      reason: 'text',
      comment: 'text',
      at: required('bigint'),
    }).execute()
    await index(schema, 'payment_records_user', 'payment_records', ['user_id', 'at'])
    // To the second, like the payments of the provider.
    const at = Math.floor(Date.now() / 1000) * 1000
    await sql`insert into service_marks (name, at, value) values ('receipts', ${at}, '')`.execute(
      db,
    )
  },

  /** When a subscription ended, which can be later than the day until which it was paid. */
  '049-ended-subscriptions': ({ schema }) =>
    addColumns(schema, 'subscriptions', { ended_at: 'bigint' }),

  /** When the owner last proved in a session that it is them: by a password, or by adding a passkey. */
  '050-proved-sessions': ({ schema }) => addColumns(schema, 'sessions', { proved_at: 'bigint' }),

  /** Rows of a file keep what their codes were elsewhere: paused, with other names, an id and a design. */
  '052-kept-parts': ({ schema }) => addColumns(schema, 'import_rows', { kept: 'text' }),

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
    await addColumns(schema, 'scans', { utm: 'text' })
    const tomorrow = Math.floor(Date.now() / DAY_MS) + 1
    await sql`insert into ledger_marks (name, at, place)
      select 'utm-from', ${sql.lit(tomorrow)}, '' from (select 1 from scans limit 1) as scanned`.execute(
      db,
    )
  },

  /** Whether a code's redirect has the parameters of the link that was scanned. */
  '056-passed-parameters': ({ schema }) =>
    addColumns(schema, 'codes', { pass_query: withDefault('integer', 0) }),

  /** The plan that a subscription of the sandbox has from its next period on. */
  '057-sandbox-changes': ({ schema }) =>
    addColumns(schema, 'sandbox_subscriptions', { next_tier: 'text', next_billing: 'text' }),

  /** The account of a scan, so that a question about an account need not look at its codes. */
  '058-workspaces-of-scans': ({ schema }) => addColumns(schema, 'scans', { workspace_id: 'text' }),

  /** Tables of what a person works on go by the workspace; today it has its person's id, so no row changes. */
  '060-workspaces': {
    /** The version before must be stopped: it asks for the columns by their old name. */
    needsStop: true,
    async up({ schema }) {
      for (const table of ofWork) {
        await schema.alterTable(table).renameColumn('user_id', 'workspace_id').execute()
      }
      await addColumns(schema, 'audit_entries', { workspace_id: 'text' })
    },
  },

  /** The scope and the resource of an app's token get columns beside the JSON that had them. */
  async '061-scopes-of-tokens'(db) {
    const { schema } = db
    await addColumns(schema, 'oauth_records', { scope: 'text', resource: 'text' })
    const data = onSqlite(db) ? sql`data` : sql`data::json`
    await sql`
      update oauth_records set scope = ${data} ->> 'scope', resource = ${data} ->> 'aud'
      where kind = 'AccessToken'`.execute(db)
  },
}
