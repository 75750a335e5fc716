import {
  addColumns,
  index,
  key,
  type Migrations,
  required,
  saying,
  table,
  unique,
} from './steps.ts'

export const mailsAndProofs: Migrations = {
  /**
   * One table counts what is limited. It replaces those of failed sign-ins and of Better Auth's own limit.
   * An index finds the codes in a bin.
   */
  async '009-limits'({ schema }) {
    await table(schema, 'limit_counts', {
      name: required('text'),
      who: required('text'),
      since: required('bigint'),
      count: required('integer'),
    })
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
    await table(schema, 'mails', {
      id: key('text'),
      kind: required('text'),
      recipient: required('text'),
      subject: required('text'),
      text: required('text'),
      html: required('text'),
      unsubscribe: 'text',
      created_at: required('bigint'),
      expires_at: required('bigint'),
      attempts: required('integer'),
      next_at: required('bigint'),
    }).execute()
    await index(schema, 'mails_by_turn', 'mails', ['next_at'])
    await index(schema, 'mails_by_end', 'mails', ['expires_at'])
  },

  /** Actions on an account, a code or a plan, with their actor; and links that were mailed. */
  async '011-audit'({ schema }) {
    await table(schema, 'audit_entries', {
      id: key('text'),
      at: required('bigint'),
      user_id: required('text'),
      actor: required('text'),
      event: required('text'),
      subject: 'text',
      address: 'text',
      device: 'text',
    }).execute()
    await index(schema, 'audit_entries_by_user', 'audit_entries', ['user_id', 'at'])
    await index(schema, 'audit_entries_by_age', 'audit_entries', ['at'])

    await table(schema, 'mailed_links', {
      hash: key('text'),
      kind: required('text'),
      user_id: required('text'),
      email: required('text'),
      made_at: required('bigint'),
      expires_at: required('bigint'),
    }).execute()
    await index(schema, 'mailed_links_by_user', 'mailed_links', ['user_id', 'kind'])
  },

  /** The tables of accounts beside Better Auth's: settings, devices, pictures and factors. */
  async '012-accounts'({ schema }) {
    await addColumns(schema, 'users', {
      time_zone: 'text',
      notices_off: 'text',
      must_verify: 'integer',
      pending_email: 'text',
      pending_step: 'text',
      pending_until: 'bigint',
      deletion_at: 'bigint',
    })
    await index(schema, 'users_by_deletion', 'users', ['deletion_at'])

    await table(schema, 'known_devices', {
      user_id: required('text'),
      hash: required('text'),
      seen_at: required('bigint'),
    })
      .addPrimaryKeyConstraint('known_devices_key', ['user_id', 'hash'])
      .execute()

    await table(schema, 'user_pictures', {
      user_id: key('text'),
      version: required('text'),
      base64: required('text'),
    }).execute()

    await table(schema, 'second_factors', {
      user_id: key('text'),
      secret: required('text'),
      confirmed_at: 'bigint',
      last_step: required('bigint'),
    }).execute()
    await table(schema, 'recovery_codes', {
      user_id: required('text'),
      hash: required('text'),
    })
      .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'hash'])
      .execute()

    await table(schema, 'passkeys', {
      id: key('text'),
      user_id: required('text'),
      credential_id: unique('text'),
      public_key: required('text'),
      counter: required('bigint'),
      transports: required('text'),
      name: required('text'),
      added_at: required('bigint'),
      last_used_at: 'bigint',
    }).execute()
    await index(schema, 'passkeys_by_user', 'passkeys', ['user_id'])

    await table(schema, 'used_challenges', {
      id: key('text'),
      expires_at: required('bigint'),
    }).execute()
  },

  /** Sign-ins at an OpenID Connect provider. One person at a provider opens one account. */
  async '013-provider'({ schema }) {
    await schema
      .createIndex('accounts_by_subject')
      .on('accounts')
      .columns(['providerId', 'accountId'])
      .unique()
      .execute()
    await table(schema, 'provider_sessions', {
      session_id: saying('text', (column) =>
        column.primaryKey().references('sessions.id').onDelete('cascade'),
      ),
      id_token: required('text'),
    }).execute()
  },

  /** Accounts that are about to be deleted, and what people have been told. */
  async '014-leaving'({ schema }) {
    await table(schema, 'deletions', {
      user_id: key('text'),
      due_at: required('bigint'),
      plan_stopped_at: 'bigint',
      warned_at: 'bigint',
      purge_began_at: 'bigint',
      pseudonym: 'text',
    }).execute()
    await index(schema, 'deletions_by_due', 'deletions', ['due_at'])

    await table(schema, 'notices', {
      user_id: required('text'),
      kind: required('text'),
      about: required('text'),
      sent_at: required('bigint'),
    })
      .addPrimaryKeyConstraint('notices_key', ['user_id', 'kind', 'about'])
      .execute()
    await index(schema, 'notices_by_age', 'notices', ['sent_at'])
    await index(schema, 'codes_by_expiry', 'codes', ['expires_at'])
  },
}
