import type { Db } from '../database/schema.ts'

/** Whether an account has this e-mail address, in any case. */
export async function hasAccount(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

/** The address and name on an account's invoices. */
export async function contactOf(db: Db, userId: string): Promise<{ email: string; name: string }> {
  return db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
