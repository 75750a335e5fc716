import { type ColumnBuilderCallback, type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Accounts, what opens them, and their sessions, as Better Auth made them when it kept them: with its
 * names, its types and its tables. An instant is ISO 8601 on SQLite and a timestamp on PostgreSQL.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
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
  await schema.createIndex('sessions_userId_idx').on('sessions').column('userId').execute()
  await schema.createIndex('accounts_userId_idx').on('accounts').column('userId').execute()
  await schema
    .createIndex('verifications_identifier_idx')
    .on('verifications')
    .column('identifier')
    .execute()
}
