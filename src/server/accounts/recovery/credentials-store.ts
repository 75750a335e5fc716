import { sql } from 'kysely'
import type { Tx } from '../../database/schema.ts'

/*
 * What has to change together with a link's use: all in one transaction, which Better Auth's own
 * calls cannot join.
 */

/** Replaces the password's hash. @returns false for an account that has no password yet */
export async function replacePassword(tx: Tx, userId: string, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('accounts')
    .set({ password: hash })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** The account's address is proved. */
export async function markProved(tx: Tx, userId: string): Promise<void> {
  await tx.updateTable('users').set({ emailVerified: sql`true` }).where('id', '=', userId).execute()
}

/** Signs an account out everywhere. */
export async function endAllSessions(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('userId', '=', userId).execute()
}
