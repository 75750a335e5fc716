import type { Db } from '../../database/schema.ts'

/** Marks a challenge as answered. @returns false where it was already, so that this answer is a replay */
export async function spendChallenge(
  db: Db,
  challenge: { id: string; until: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('used_challenges')
    .values({ id: challenge.id, expires_at: challenge.until })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Removes those that are over by themselves. */
export async function sweepChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('used_challenges').where('expires_at', '<=', now.getTime()).execute()
}
