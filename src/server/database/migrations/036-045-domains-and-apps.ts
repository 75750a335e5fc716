import { sql } from 'kysely'
import {
  addColumns,
  index,
  key,
  type Migrations,
  onSqlite,
  required,
  requiredKey,
  saying,
  table,
  withDefault,
} from './steps.ts'

export const domainsAndApps: Migrations = {
  /** Mails with a link (0) go before notices (1), and each kind has its own room in the queue. */
  async '036-mail-priorities'(db) {
    const { schema } = db
    await addColumns(schema, 'mails', { priority: withDefault('integer', 1) })
    await sql`update mails set priority = 0 where kind in
      ('reset-password', 'sign-in', 'verify-email', 'approve-email', 'prove-email')`.execute(db)
    await schema.dropIndex('mails_by_turn').execute()
    await index(schema, 'mails_by_priority', 'mails', ['priority', 'next_at'])
    await index(schema, 'mails_by_kind', 'mails', ['kind', 'recipient', 'created_at'])
  },

  /** The locale of an account's mails, and what its owner shows on paused and expired codes. */
  '037-locale-and-contact': ({ schema }) =>
    addColumns(schema, 'users', { locale: 'text', shown_name: 'text', shown_contact: 'text' }),

  /**
   * Rows of a file keep their cells, so that one can be changed and the file be read again, and say what they lose.
   * Files that are not imported yet have no cells: their owners send them again.
   */
  async '038-import-cells'(db) {
    const { schema } = db
    await addColumns(schema, 'imports', {
      encoding: withDefault('text', 'utf-8'),
      losses: withDefault('integer', 0),
    })
    await addColumns(schema, 'import_rows', {
      created_at: 'bigint',
      losses: 'text',
      cells: withDefault('text', '[]'),
    })
    await sql`update imports set losses = lost_paths`.execute(db)
    await sql`update imports set state = 'abandoned' where state in ('reading', 'checked')`.execute(
      db,
    )
  },

  /** An invoice of the sandbox names the plan that was paid; older ones do not. */
  '039-sandbox-invoice-plans': ({ schema }) =>
    addColumns(schema, 'sandbox_invoices', { tier: 'text', billing: 'text' }),

  /** Hosts of customers, by which their codes are reached. `held` is unique: one claim has a host. */
  async '040-domains'({ schema }) {
    await table(schema, 'domains', {
      id: key('text'),
      user_id: required('text'),
      host: required('text'),
      held: saying('text', (column) => column.unique()),
      secret: required('text'),
      is_default: required('integer'),
      home_url: 'text',
      added_at: required('bigint'),
      proof_at: 'bigint',
      points_at: 'bigint',
      failing_since: 'bigint',
      ends_at: 'bigint',
      checked_at: 'bigint',
      check_at: required('bigint'),
      found: 'text',
    }).execute()
    const claims = schema.createIndex('domains_by_owner').on('domains').columns(['user_id', 'host'])
    await claims.unique().execute()
    await index(schema, 'domains_by_host', 'domains', ['host'])
    await index(schema, 'domains_by_check', 'domains', ['check_at'])
  },

  /** Codes have their links on a domain of their owner. */
  '041-code-domains': ({ schema }) =>
    addColumns(schema, 'codes', { domain: 'text', domain_id: 'text' }),

  /**
   * Imports onto a domain keep capitals. Names with capitals, which are few, are found in any other spelling by an
   * index of their own.
   */
  async '042-imports-onto-domains'(db) {
    const { schema } = db
    await addColumns(schema, 'imports', { domain: 'text', domain_id: 'text' })
    await sql`create index paths_folded on paths (lower(key)) where key <> lower(key)`.execute(db)
  },

  /** Notes about the whole database, and keys and share links that wait for their owner after a restore. */
  async '043-restores'(db) {
    const { schema } = db
    await table(schema, 'service_marks', {
      name: requiredKey('text'),
      at: required('bigint'),
      value: required('text'),
    }).execute()
    await addColumns(schema, 'api_keys', { paused_at: 'bigint' })
    await addColumns(schema, 'shares', { paused_at: 'bigint' })
    // As many digits as SQLite has, so that a copy on the other engine is the same.
    if (!onSqlite(db))
      await sql`alter table logos alter column reach type double precision`.execute(db)
  },

  /** Codes have an id of their owner's. */
  async '044-external-ids'({ schema }) {
    await addColumns(schema, 'codes', { external_id: 'text' })
    await schema
      .createIndex('codes_external_id')
      .unique()
      .on('codes')
      .columns(['user_id', 'external_id'])
      .where('external_id', 'is not', null)
      .execute()
  },

  /** Apps that people connect to their account, and what the authorization server keeps for them. */
  async '045-connected-apps'({ schema }) {
    await table(schema, 'connected_apps', {
      id: requiredKey('text'),
      user_id: required('text'),
      name: required('text'),
      host: required('text'),
      scope: required('text'),
      made_at: required('bigint'),
      used_at: 'bigint',
    }).execute()
    await table(schema, 'oauth_records', {
      kind: required('text'),
      id: required('text'),
      user_id: 'text',
      app_id: 'text',
      data: required('text'),
      ends_at: required('bigint'),
      used_at: 'bigint',
    })
      .addPrimaryKeyConstraint('oauth_records_key', ['kind', 'id'])
      .execute()
    await index(schema, 'connected_apps_user', 'connected_apps', ['user_id'])
    await index(schema, 'oauth_records_app', 'oauth_records', ['app_id'])
    await index(schema, 'oauth_records_end', 'oauth_records', ['ends_at'])
  },
}
