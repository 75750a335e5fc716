import type { Kysely } from 'kysely'

/** Actions on an account, a code or a plan, with their actor; and links that were mailed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
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
  await schema
    .createIndex('audit_entries_by_user')
    .on('audit_entries')
    .columns(['user_id', 'at'])
    .execute()
  await schema.createIndex('audit_entries_by_age').on('audit_entries').column('at').execute()

  await schema
    .createTable('mailed_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('made_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('mailed_links_by_user')
    .on('mailed_links')
    .columns(['user_id', 'kind'])
    .execute()
}
