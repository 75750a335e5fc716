import type { PlanUse } from '#contract/billing.ts'
import { UNLIMITED } from '#contract/plans.ts'
import type { Db, Tx } from '../database/schema.ts'

/**
 * Lets the transactions that change one account's codes run one after the other, also on PostgreSQL:
 * each reads what the one before it wrote. Call it first in the transaction. Returns how many slots
 * of its plan the account uses.
 */
export async function lockAccount(tx: Tx, userId: string): Promise<number> {
  const { used } = await tx
    .insertInto('code_usage')
    .values({ user_id: userId, used: 0 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({ used: row.ref('code_usage.used') })),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  return used
}

/** How many slots of its plan an account uses: one for each saved code. */
export async function usedSlots(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('code_usage')
    .select('used')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Takes a slot, or several, if so many are free. The database decides, so that no two requests get the
 * last one. Call `lockAccount` before.
 */
export async function takeSlot(tx: Tx, userId: string, limit: number, slots = 1): Promise<boolean> {
  let update = tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '+', slots) }))
    .where('user_id', '=', userId)
  if (limit !== UNLIMITED) update = update.where('used', '<=', limit - slots)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Gives back a slot that `takeSlot` took. Call `lockAccount` before. */
export async function freeSlot(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '-', 1) }))
    .where('user_id', '=', userId)
    .execute()
}

/** Forgets an account that has no codes any more. */
export async function forgetUsage(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('code_usage').where('user_id', '=', userId).execute()
}

/** How many of an account's codes a change of plan touches. */
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
