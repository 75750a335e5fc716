import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../database/schema.ts'

/** Whether an account has this e-mail address, in any case. */
export async function hasAccount(db: Db, email: string): Promise<boolean> {
  return (await findAccount(db, { email })) !== undefined
}

/** The address and name on an account's invoices. */
export async function contactOf(db: Db, userId: string): Promise<{ email: string; name: string }> {
  return db
    .selectFrom('users')
    .select(['email', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** An account as a sign-in needs it. */
export type AccountRow = {
  id: string
  email: string
  name: string
  firstName: string | null
  lastName: string | null
  emailVerified: boolean
  mustVerify: boolean
  timeZone: string | null
  deletionAt: number | null
}

/** The account with this id or this e-mail address, in any case. */
export async function findAccount(
  db: Db,
  by: { id: string } | { email: string },
): Promise<AccountRow | undefined> {
  const query = db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'firstName', 'lastName'])
    .select(['emailVerified', 'must_verify', 'time_zone', 'deletion_at'])
  const row = await ('id' in by
    ? query.where('id', '=', by.id)
    : query.where('email', '=', by.email.toLowerCase())
  ).executeTakeFirst()
  if (!row) return undefined
  const { must_verify, time_zone, deletion_at, ...rest } = row
  return {
    ...rest,
    emailVerified: Boolean(row.emailVerified),
    mustVerify: must_verify === 1,
    timeZone: time_zone,
    deletionAt: deletion_at,
  }
}

/**
 * Lets the transactions that begin with it run one after the other for an account, also on PostgreSQL:
 * each reads what the one before it wrote.
 */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('users')
    .set((row) => ({ must_verify: row.ref('must_verify') }))
    .where('id', '=', userId)
    .execute()
}

/** The hash of an account's password; null for an account without one. */
export async function passwordHashOf(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('accounts')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return row?.password ?? null
}

/**
 * Sets an account's password, or gives it one. Better Auth has a call for each, but not within the
 * transaction of what goes with it.
 */
export async function savePassword(tx: Tx, userId: string, hash: string, now: Date) {
  const updatedAt = now.toISOString()
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ password: hash, updatedAt })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  await tx
    .insertInto('accounts')
    .values({
      ...{ id: randomUUID(), userId, providerId: 'credential', accountId: userId },
      ...{ password: hash, createdAt: updatedAt, updatedAt },
    })
    .execute()
}

/** Somebody has shown that the account's address is theirs. */
export async function markProved(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ emailVerified: sql`true` }).where('id', '=', userId).execute()
}

/** Sets when the account is purged; null where it stays. */
export async function setDeletionAt(db: Db, userId: string, at: number | null): Promise<void> {
  await db.updateTable('users').set({ deletion_at: at }).where('id', '=', userId).execute()
}

/** Where a person's picture is; null for a person without one. */
export async function pictureUrlOf(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('user_pictures')
    .select('version')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? `/api/account/picture?v=${row.version}` : null
}
