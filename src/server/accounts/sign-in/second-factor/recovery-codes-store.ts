import type { Db } from '../../../database/schema.ts'

/** New codes in place of the old ones. */
export async function replaceRecoveryCodes(db: Db, userId: string, hashes: string[]) {
  await removeRecoveryCodes(db, userId)
  const rows = hashes.map((hash) => ({ user_id: userId, hash }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Uses a code up. @returns false where it is used already or was never one */
export async function spendRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function removeRecoveryCodes(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}
