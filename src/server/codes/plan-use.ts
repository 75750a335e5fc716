import type { PlanUse } from '#contract/billing.ts'
import type { Db } from '../database/schema.ts'

/** What of an account's codes a change of plan touches. */
export async function planUse(db: Db, userId: string): Promise<PlanUse> {
  const row = await db
    .selectFrom('codes')
    .select(({ fn }) => [
      fn.countAll().as('codes'),
      fn.count('vanity_url').as('customPaths'),
      fn.count('expires_at').as('ending'),
    ])
    .where('user_id', '=', userId)
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return {
    codes: Number(row.codes),
    customPaths: Number(row.customPaths),
    ending: Number(row.ending),
  }
}
