import { type ColumnBuilderCallback, sql } from 'kysely'
import { clusteredTables, index, type Migrations, onSqlite } from './steps.ts'

export const codesScansAndAccounts: Migrations = {
  /** Codes, their public names, the slots that each account uses, plans, and the leases of jobs. */
  async '001-codes'({ schema }) {
    await schema
      .createTable('codes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('vanity_url', 'text')
      .addColumn('short_code', 'text', (column) => column.notNull())
      .addColumn('style', 'text', (column) => column.notNull())
      .addColumn('foreground_color', 'text', (column) => column.notNull())
      .addColumn('background_color', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('saved_at', 'bigint')
      .addColumn('paused_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .addColumn('deleted_at', 'bigint')
      .execute()
    await index(schema, 'codes_by_owner', 'codes', ['user_id', 'created_at'])

    await schema
      .createTable('paths')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('code_id', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'paths_by_code', 'paths', ['code_id'])

    await schema
      .createTable('code_usage')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('used', 'integer', (column) => column.notNull())
      .execute()

    await schema
      .createTable('subscriptions')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('tier', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('current_period_end', 'bigint')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute()

    await schema
      .createTable('job_leases')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('until', 'bigint', (column) => column.notNull())
      .execute()
  },

  /** The ledger of scans and its rollups. */
  async '002-scans'(db) {
    const { schema } = db
    const clustered = clusteredTables(db)

    await clustered(
      schema
        .createTable('scans')
        .addColumn('id', 'text', (column) => column.primaryKey().notNull())
        .addColumn('code_id', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addColumn('class', 'text', (column) => column.notNull())
        .addColumn('rule', 'text', (column) => column.notNull())
        .addColumn('country', 'text')
        .addColumn('region', 'text')
        .addColumn('city', 'text')
        .addColumn('device', 'text')
        .addColumn('os', 'text')
        .addColumn('browser', 'text')
        .addColumn('referrer', 'text')
        .addColumn('language', 'text')
        .addColumn('agent', 'bigint')
        .addColumn('visitor', 'text')
        .addColumn('first', 'integer', (column) => column.notNull()),
    )
    await schema
      .createTable('forgotten_codes')
      .addColumn('code_id', 'text', (column) => column.primaryKey())
      .execute()

    await schema
      .createTable('agents')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()

    await clustered(
      schema
        .createTable('visitors')
        .addColumn('day', 'integer', (column) => column.notNull())
        .addColumn('code_id', 'text', (column) => column.notNull())
        .addColumn('visitor', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('visitors_key', ['day', 'code_id', 'visitor']),
    )

    await schema
      .createTable('visitor_salts')
      .addColumn('day', 'integer', (column) => column.primaryKey())
      .addColumn('salt', 'text', (column) => column.notNull())
      .execute()

    await clustered(
      schema
        .createTable('scan_counts')
        .addColumn('code_id', 'text', (column) => column.notNull())
        .addColumn('quarter', 'integer', (column) => column.notNull())
        .addColumn('persons', 'bigint', (column) => column.notNull())
        .addColumn('firsts', 'bigint', (column) => column.notNull())
        .addColumn('others', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('scan_counts_key', ['code_id', 'quarter']),
    )

    await clustered(
      schema
        .createTable('scan_facets')
        .addColumn('code_id', 'text', (column) => column.notNull())
        .addColumn('day', 'integer', (column) => column.notNull())
        .addColumn('facet', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('persons', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('scan_facets_key', ['code_id', 'day', 'facet', 'value']),
    )
  },

  /**
   * Accounts, what opens them, and their sessions, as Better Auth made them when it kept them: with its
   * names, its types and its tables. An instant is ISO 8601 on SQLite and a timestamp on PostgreSQL.
   */
  async '003-accounts'(db) {
    const { schema } = db
    const isPostgres = !onSqlite(db)
    const instant = isPostgres ? sql`timestamptz` : sql`date`
    const flag = isPostgres ? 'boolean' : 'integer'
    const primary: ColumnBuilderCallback = (column) => column.notNull().primaryKey()
    const present: ColumnBuilderCallback = (column) => column.notNull()
    const owner: ColumnBuilderCallback = (column) =>
      column.notNull().references('users.id').onDelete('cascade')
    const now: ColumnBuilderCallback = (column) =>
      isPostgres ? column.notNull().defaultTo(sql`CURRENT_TIMESTAMP`) : column.notNull()

    await schema
      .createTable('users')
      .addColumn('id', 'text', primary)
      .addColumn('name', 'text', present)
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('emailVerified', flag, present)
      .addColumn('image', 'text')
      .addColumn('createdAt', instant, now)
      .addColumn('updatedAt', instant, now)
      .addColumn('firstName', 'text')
      .addColumn('lastName', 'text')
      .execute()
    await schema
      .createTable('sessions')
      .addColumn('id', 'text', primary)
      .addColumn('expiresAt', instant, present)
      .addColumn('token', 'text', (column) => column.notNull().unique())
      .addColumn('createdAt', instant, now)
      .addColumn('updatedAt', instant, present)
      .addColumn('ipAddress', 'text')
      .addColumn('userAgent', 'text')
      .addColumn('userId', 'text', owner)
      .execute()
    await schema
      .createTable('accounts')
      .addColumn('id', 'text', primary)
      .addColumn('accountId', 'text', present)
      .addColumn('providerId', 'text', present)
      .addColumn('userId', 'text', owner)
      .addColumn('accessToken', 'text')
      .addColumn('refreshToken', 'text')
      .addColumn('idToken', 'text')
      .addColumn('accessTokenExpiresAt', instant)
      .addColumn('refreshTokenExpiresAt', instant)
      .addColumn('scope', 'text')
      .addColumn('password', 'text')
      .addColumn('createdAt', instant, now)
      .addColumn('updatedAt', instant, present)
      .execute()
    await schema
      .createTable('verifications')
      .addColumn('id', 'text', primary)
      .addColumn('identifier', 'text', present)
      .addColumn('value', 'text', present)
      .addColumn('expiresAt', instant, present)
      .addColumn('createdAt', instant, now)
      .addColumn('updatedAt', instant, now)
      .execute()
    await index(schema, 'sessions_userId_idx', 'sessions', ['userId'])
    await index(schema, 'accounts_userId_idx', 'accounts', ['userId'])
    await index(schema, 'verifications_identifier_idx', 'verifications', ['identifier'])
  },

  /** Failed sign-ins by account, to slow down people who guess passwords. */
  async '004-sign-in-failures'({ schema }) {
    await schema
      .createTable('sign_in_failures')
      .addColumn('email', 'text', (column) => column.primaryKey())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute()
  },

  /**
   * A code's error correction, whether its link is in capitals, and the verdict of its scan check.
   * Older codes keep what they had: level M and a link in lower case.
   */
  async '005-error-correction'({ schema }) {
    const codes = schema.alterTable('codes')
    await codes.addColumn('ecc', 'text', (column) => column.notNull().defaultTo('M')).execute()
    await codes.addColumn('compact', 'integer', (column) => column.notNull().defaultTo(0)).execute()
    await codes.addColumn('legibility', 'text').execute()
    await codes.addColumn('legibility_of', 'text').execute()
  },
}
