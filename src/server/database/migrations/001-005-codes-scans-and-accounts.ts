import { sql } from 'kysely'
import {
  addColumns,
  clusteredTables,
  index,
  key,
  type Migrations,
  onSqlite,
  owned,
  required,
  requiredKey,
  saying,
  table,
  unique,
  withDefault,
} from './steps.ts'

export const codesScansAndAccounts: Migrations = {
  /** Codes, their public names, the slots that each account uses, plans, and the leases of jobs. */
  async '001-codes'({ schema }) {
    await table(schema, 'codes', {
      id: key('text'),
      user_id: required('text'),
      name: required('text'),
      url: required('text'),
      vanity_url: 'text',
      short_code: required('text'),
      style: required('text'),
      foreground_color: required('text'),
      background_color: required('text'),
      created_at: required('bigint'),
      saved_at: 'bigint',
      paused_at: 'bigint',
      expires_at: 'bigint',
      deleted_at: 'bigint',
    }).execute()
    await index(schema, 'codes_by_owner', 'codes', ['user_id', 'created_at'])

    await table(schema, 'paths', {
      key: key('text'),
      code_id: 'text',
      kind: required('text'),
      since: required('bigint'),
    }).execute()
    await index(schema, 'paths_by_code', 'paths', ['code_id'])

    await table(schema, 'code_usage', {
      user_id: key('text'),
      used: required('integer'),
    }).execute()

    await table(schema, 'subscriptions', {
      user_id: key('text'),
      tier: required('text'),
      status: required('text'),
      current_period_end: 'bigint',
      updated_at: required('bigint'),
    }).execute()

    await table(schema, 'job_leases', {
      name: key('text'),
      holder: required('text'),
      until: required('bigint'),
    }).execute()
  },

  /** The ledger of scans and its rollups. */
  async '002-scans'(db) {
    const { schema } = db
    const clustered = clusteredTables(db)

    await clustered(
      table(schema, 'scans', {
        id: requiredKey('text'),
        code_id: required('text'),
        at: required('bigint'),
        class: required('text'),
        rule: required('text'),
        country: 'text',
        region: 'text',
        city: 'text',
        device: 'text',
        os: 'text',
        browser: 'text',
        referrer: 'text',
        language: 'text',
        agent: 'bigint',
        visitor: 'text',
        first: required('integer'),
      }),
    )
    await table(schema, 'forgotten_codes', {
      code_id: key('text'),
    }).execute()

    await table(schema, 'agents', {
      id: key('bigint'),
      text: required('text'),
    }).execute()

    await clustered(
      table(schema, 'visitors', {
        day: required('integer'),
        code_id: required('text'),
        visitor: required('text'),
      }).addPrimaryKeyConstraint('visitors_key', ['day', 'code_id', 'visitor']),
    )

    await table(schema, 'visitor_salts', {
      day: key('integer'),
      salt: required('text'),
    }).execute()

    await clustered(
      table(schema, 'scan_counts', {
        code_id: required('text'),
        quarter: required('integer'),
        persons: required('bigint'),
        firsts: required('bigint'),
        others: required('bigint'),
      }).addPrimaryKeyConstraint('scan_counts_key', ['code_id', 'quarter']),
    )

    await clustered(
      table(schema, 'scan_facets', {
        code_id: required('text'),
        day: required('integer'),
        facet: required('text'),
        value: required('text'),
        persons: required('bigint'),
      }).addPrimaryKeyConstraint('scan_facets_key', ['code_id', 'day', 'facet', 'value']),
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
    const now = saying(instant, (column) =>
      isPostgres ? column.notNull().defaultTo(sql`CURRENT_TIMESTAMP`) : column.notNull(),
    )

    await table(schema, 'users', {
      id: requiredKey('text'),
      name: required('text'),
      email: unique('text'),
      emailVerified: required(flag),
      image: 'text',
      createdAt: now,
      updatedAt: now,
      firstName: 'text',
      lastName: 'text',
    }).execute()
    await table(schema, 'sessions', {
      id: requiredKey('text'),
      expiresAt: required(instant),
      token: unique('text'),
      createdAt: now,
      updatedAt: required(instant),
      ipAddress: 'text',
      userAgent: 'text',
      userId: owned('users.id'),
    }).execute()
    await table(schema, 'accounts', {
      id: requiredKey('text'),
      accountId: required('text'),
      providerId: required('text'),
      userId: owned('users.id'),
      accessToken: 'text',
      refreshToken: 'text',
      idToken: 'text',
      accessTokenExpiresAt: instant,
      refreshTokenExpiresAt: instant,
      scope: 'text',
      password: 'text',
      createdAt: now,
      updatedAt: required(instant),
    }).execute()
    await table(schema, 'verifications', {
      id: requiredKey('text'),
      identifier: required('text'),
      value: required('text'),
      expiresAt: required(instant),
      createdAt: now,
      updatedAt: now,
    }).execute()
    await index(schema, 'sessions_userId_idx', 'sessions', ['userId'])
    await index(schema, 'accounts_userId_idx', 'accounts', ['userId'])
    await index(schema, 'verifications_identifier_idx', 'verifications', ['identifier'])
  },

  /** Failed sign-ins by account, to slow down people who guess passwords. */
  async '004-sign-in-failures'({ schema }) {
    await table(schema, 'sign_in_failures', {
      email: key('text'),
      failures: required('integer'),
      since: required('bigint'),
    }).execute()
  },

  /**
   * A code's error correction, whether its link is in capitals, and the verdict of its scan check.
   * Older codes keep what they had: level M and a link in lower case.
   */
  '005-error-correction': ({ schema }) =>
    addColumns(schema, 'codes', {
      ecc: withDefault('text', 'M'),
      compact: withDefault('integer', 0),
      legibility: 'text',
      legibility_of: 'text',
    }),
}
