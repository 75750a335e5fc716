import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** Sessions whose tokens are hashed at a time: two parameters each, below the limits of both engines. */
const BATCH = 1000
/** Characters of a token that is not hashed yet; a hash has 43. */
const TOKEN_CHARACTERS = 32

/**
 * A table has the sign-ins that wait for their second step. Sessions keep only a hash of their token, so
 * that a copy of the database opens no account. Nothing has used `verifications` for long.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('sign_ins')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('sign_ins_by_user').on('sign_ins').column('user_id').execute()
  await schema.dropTable('verifications').execute()
  while (await hashSome(db)) {
    // Until no token is left
  }
}

/** @returns whether there was one */
async function hashSome(db: Kysely<unknown>): Promise<boolean> {
  const plain = sql<{ id: string; token: string }>`select id, token from sessions
    where length(token) = ${TOKEN_CHARACTERS} limit ${BATCH}`
  const { rows } = await plain.execute(db)
  if (rows.length === 0) return false
  const pairs = rows.map(({ id, token }) => sql`(${id}, ${hash('sha256', token, 'base64url')})`)
  await sql`with hashed (id, token) as (values ${sql.join(pairs)})
    update sessions set token = hashed.token from hashed where sessions.id = hashed.id`.execute(db)
  return true
}
