import { index, type Migrations } from './steps.ts'

export const mailsAndProofs: Migrations = {
  /**
   * One table counts what is limited. It replaces those of failed sign-ins and of Better Auth's own limit.
   * An index finds the codes in a bin.
   */
  async '009-limits'({ schema }) {
    await schema
      .createTable('limit_counts')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('limit_counts_key', ['name', 'who'])
      .execute()
    await index(schema, 'limit_counts_by_age', 'limit_counts', ['name', 'since'])
    await schema
      .createIndex('codes_in_bin')
      .on('codes')
      .columns(['user_id', 'deleted_at'])
      .where('deleted_at', 'is not', null)
      .execute()
    await schema.dropTable('sign_in_failures').ifExists().execute()
    await schema.dropTable('auth_rate_limits').ifExists().execute()
  },

  /** Mails that wait to be sent. */
  async '010-mails'({ schema }) {
    await schema
      .createTable('mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('html', 'text', (column) => column.notNull())
      .addColumn('unsubscribe', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'mails_by_turn', 'mails', ['next_at'])
    await index(schema, 'mails_by_end', 'mails', ['expires_at'])
  },

  /** Actions on an account, a code or a plan, with their actor; and links that were mailed. */
  async '011-audit'({ schema }) {
    await schema
      .createTable('audit_entries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('subject', 'text')
      .addColumn('address', 'text')
      .addColumn('device', 'text')
      .execute()
    await index(schema, 'audit_entries_by_user', 'audit_entries', ['user_id', 'at'])
    await index(schema, 'audit_entries_by_age', 'audit_entries', ['at'])

    await schema
      .createTable('mailed_links')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await index(schema, 'mailed_links_by_user', 'mailed_links', ['user_id', 'kind'])
  },

  /** The tables of accounts beside Better Auth's: settings, devices, pictures and factors. */
  async '012-accounts'({ schema }) {
    await schema.alterTable('users').addColumn('time_zone', 'text').execute()
    await schema.alterTable('users').addColumn('notices_off', 'text').execute()
    await schema.alterTable('users').addColumn('must_verify', 'integer').execute()
    await schema.alterTable('users').addColumn('pending_email', 'text').execute()
    await schema.alterTable('users').addColumn('pending_step', 'text').execute()
    await schema.alterTable('users').addColumn('pending_until', 'bigint').execute()
    await schema.alterTable('users').addColumn('deletion_at', 'bigint').execute()
    await index(schema, 'users_by_deletion', 'users', ['deletion_at'])

    await schema
      .createTable('known_devices')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('known_devices_key', ['user_id', 'hash'])
      .execute()

    await schema
      .createTable('user_pictures')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('base64', 'text', (column) => column.notNull())
      .execute()

    await schema
      .createTable('second_factors')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_step', 'bigint', (column) => column.notNull())
      .execute()
    await schema
      .createTable('recovery_codes')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'hash'])
      .execute()

    await schema
      .createTable('passkeys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute()
    await index(schema, 'passkeys_by_user', 'passkeys', ['user_id'])

    await schema
      .createTable('used_challenges')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },

  /** Sign-ins at an OpenID Connect provider. One person at a provider opens one account. */
  async '013-provider'({ schema }) {
    await schema
      .createIndex('accounts_by_subject')
      .on('accounts')
      .columns(['providerId', 'accountId'])
      .unique()
      .execute()
    await schema
      .createTable('provider_sessions')
      .addColumn('session_id', 'text', (column) =>
        column.primaryKey().references('sessions.id').onDelete('cascade'),
      )
      .addColumn('id_token', 'text', (column) => column.notNull())
      .execute()
  },

  /** Accounts that are about to be deleted, and what people have been told. */
  async '014-leaving'({ schema }) {
    await schema
      .createTable('deletions')
      .addColumn('user_id', 'text', (column) => column.primaryKey())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('plan_stopped_at', 'bigint')
      .addColumn('warned_at', 'bigint')
      .addColumn('purge_began_at', 'bigint')
      .addColumn('pseudonym', 'text')
      .execute()
    await index(schema, 'deletions_by_due', 'deletions', ['due_at'])

    await schema
      .createTable('notices')
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('sent_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notices_key', ['user_id', 'kind', 'about'])
      .execute()
    await index(schema, 'notices_by_age', 'notices', ['sent_at'])
    await index(schema, 'codes_by_expiry', 'codes', ['expires_at'])
  },
}
