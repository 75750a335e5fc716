import type { Kysely } from 'kysely'

/** The tables of accounts beside Better Auth's: settings, devices, pictures and factors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema.alterTable('users').addColumn('time_zone', 'text').execute()
  await schema.alterTable('users').addColumn('notices_off', 'text').execute()
  await schema.alterTable('users').addColumn('must_verify', 'integer').execute()
  await schema.alterTable('users').addColumn('pending_email', 'text').execute()
  await schema.alterTable('users').addColumn('pending_step', 'text').execute()
  await schema.alterTable('users').addColumn('pending_until', 'bigint').execute()
  await schema.alterTable('users').addColumn('deletion_at', 'bigint').execute()
  await schema.createIndex('users_by_deletion').on('users').column('deletion_at').execute()

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
  await schema.createIndex('passkeys_by_user').on('passkeys').column('user_id').execute()

  await schema
    .createTable('used_challenges')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
}
