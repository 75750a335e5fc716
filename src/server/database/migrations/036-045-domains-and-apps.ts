import { sql } from 'kysely'
import { index, type Migrations, onSqlite } from './steps.ts'

export const domainsAndApps: Migrations = {
  /** Mails with a link (0) go before notices (1), and each kind has its own room in the queue. */
  async '036-mail-priorities'(db) {
    const { schema } = db
    await schema
      .alterTable('mails')
      .addColumn('priority', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
    await sql`update mails set priority = 0 where kind in
      ('reset-password', 'sign-in', 'verify-email', 'approve-email', 'prove-email')`.execute(db)
    await schema.dropIndex('mails_by_turn').execute()
    await index(schema, 'mails_by_priority', 'mails', ['priority', 'next_at'])
    await index(schema, 'mails_by_kind', 'mails', ['kind', 'recipient', 'created_at'])
  },

  /** The locale of an account's mails, and what its owner shows on paused and expired codes. */
  async '037-locale-and-contact'({ schema }) {
    for (const column of ['locale', 'shown_name', 'shown_contact']) {
      await schema.alterTable('users').addColumn(column, 'text').execute()
    }
  },

  /**
   * Rows of a file keep their cells, so that one can be changed and the file be read again, and say what they lose.
   * Files that are not imported yet have no cells: their owners send them again.
   */
  async '038-import-cells'(db) {
    const { schema } = db
    await schema
      .alterTable('imports')
      .addColumn('encoding', 'text', (column) => column.notNull().defaultTo('utf-8'))
      .execute()
    await schema
      .alterTable('imports')
      .addColumn('losses', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('import_rows').addColumn('created_at', 'bigint').execute()
    await schema.alterTable('import_rows').addColumn('losses', 'text').execute()
    await schema
      .alterTable('import_rows')
      .addColumn('cells', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute()
    await sql`update imports set losses = lost_paths`.execute(db)
    await sql`update imports set state = 'abandoned' where state in ('reading', 'checked')`.execute(
      db,
    )
  },

  /** An invoice of the sandbox names the plan that was paid; older ones do not. */
  async '039-sandbox-invoice-plans'({ schema }) {
    await schema.alterTable('sandbox_invoices').addColumn('tier', 'text').execute()
    await schema.alterTable('sandbox_invoices').addColumn('billing', 'text').execute()
  },

  /** Hosts of customers, by which their codes are reached. `held` is unique: one claim has a host. */
  async '040-domains'({ schema }) {
    await schema
      .createTable('domains')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('held', 'text', (column) => column.unique())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('is_default', 'integer', (column) => column.notNull())
      .addColumn('home_url', 'text')
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('proof_at', 'bigint')
      .addColumn('points_at', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('ends_at', 'bigint')
      .addColumn('checked_at', 'bigint')
      .addColumn('check_at', 'bigint', (column) => column.notNull())
      .addColumn('found', 'text')
      .execute()
    const claims = schema.createIndex('domains_by_owner').on('domains').columns(['user_id', 'host'])
    await claims.unique().execute()
    await index(schema, 'domains_by_host', 'domains', ['host'])
    await index(schema, 'domains_by_check', 'domains', ['check_at'])
  },

  /** Codes have their links on a domain of their owner. */
  async '041-code-domains'({ schema }) {
    await schema.alterTable('codes').addColumn('domain', 'text').execute()
    await schema.alterTable('codes').addColumn('domain_id', 'text').execute()
  },

  /**
   * Imports onto a domain keep capitals. Names with capitals, which are few, are found in any other spelling by an
   * index of their own.
   */
  async '042-imports-onto-domains'(db) {
    const { schema } = db
    await schema.alterTable('imports').addColumn('domain', 'text').execute()
    await schema.alterTable('imports').addColumn('domain_id', 'text').execute()
    await sql`create index paths_folded on paths (lower(key)) where key <> lower(key)`.execute(db)
  },

  /** Notes about the whole database, and keys and share links that wait for their owner after a restore. */
  async '043-restores'(db) {
    const { schema } = db
    await schema
      .createTable('service_marks')
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
    await schema.alterTable('api_keys').addColumn('paused_at', 'bigint').execute()
    await schema.alterTable('shares').addColumn('paused_at', 'bigint').execute()
    // As many digits as SQLite has, so that a copy on the other engine is the same.
    if (!onSqlite(db))
      await sql`alter table logos alter column reach type double precision`.execute(db)
  },

  /** Codes have an id of their owner's. */
  async '044-external-ids'({ schema }) {
    await schema.alterTable('codes').addColumn('external_id', 'text').execute()
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
    await schema
      .createTable('connected_apps')
      .addColumn('id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await schema
      .createTable('oauth_records')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('app_id', 'text')
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .addPrimaryKeyConstraint('oauth_records_key', ['kind', 'id'])
      .execute()
    await index(schema, 'connected_apps_user', 'connected_apps', ['user_id'])
    await index(schema, 'oauth_records_app', 'oauth_records', ['app_id'])
    await index(schema, 'oauth_records_end', 'oauth_records', ['ends_at'])
  },
}
