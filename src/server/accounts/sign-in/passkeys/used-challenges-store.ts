import { HOUR_MS } from '#contract/time.ts'
import type { Db } from '../../../database/schema.ts'

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

/** Longer than any challenge lives. */
const LIFE_MAX_MS = HOUR_MS

/** Removes those that are over by themselves, and those of a clock that went back since. */
export async function sweepChallenges(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await db
    .deleteFrom('used_challenges')
    .where((row) => row.or([row('expires_at', '<=', at), row('expires_at', '>', at + LIFE_MAX_MS)]))
    .execute()
}
