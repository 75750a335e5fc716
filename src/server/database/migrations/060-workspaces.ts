import type { Kysely } from 'kysely'

/** Tables of what a person works on. They go by the workspace; today it has its person's id, so no row changes. */
const ofWork = [
  ...['codes', 'logos', 'looks', 'tags', 'domains', 'code_usage', 'subscriptions', 'customers'],
  ...['checkouts', 'payment_records', 'sandbox_customers', 'forgotten_codes', 'scan_packs'],
  ...['shares', 'figure_mails', 'idempotency_keys', 'api_keys', 'connected_apps'],
  ...['webhook_endpoints', 'webhook_events', 'imports'],
]

/** The version before must be stopped: it asks for the columns by their old name. */
export const needsStop = true

export async function up({ schema }: Kysely<unknown>): Promise<void> {
  for (const table of ofWork) {
    await schema.alterTable(table).renameColumn('user_id', 'workspace_id').execute()
  }
  await schema.alterTable('audit_entries').addColumn('workspace_id', 'text').execute()
}
