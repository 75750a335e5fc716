import { randomUUID } from 'node:crypto'
import type { Db } from '../../database/schema.ts'

/** Puts a drawn picture (WebP) in the place of the one that a person had. */
export async function saveUserPicture(db: Db, userId: string, bytes: Uint8Array): Promise<void> {
  const picture = { version: randomUUID(), base64: Buffer.from(bytes).toString('base64') }
  await db
    .insertInto('user_pictures')
    .values({ user_id: userId, ...picture })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(picture))
    .execute()
}

/** A person's picture by the version that its address names: another version is not this picture. */
export async function findUserPicture(
  db: Db,
  userId: string,
  version: string,
): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('user_pictures')
    .select('base64')
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && Buffer.from(row.base64, 'base64')
}

/** Whether there was one. */
export async function removeUserPicture(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_pictures')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
