import { UNLIMITED } from '#contract/plans.ts'
import type { Db, Tx } from '../database/schema.ts'

/**
 * Makes the transactions that change one account's codes take turns until they end, on PostgreSQL
 * too: each reads what the one before it left. Must come first in the transaction. Answers how
 * many places of its plan the account has taken.
 */
export async function takeTurn(tx: Tx, userId: string): Promise<number> {
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

/** How many places of its plan an account has taken. */
export async function usedPlaces(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('code_usage')
    .select('used')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.used ?? 0
}

/**
 * Takes a place, if one is free: the database decides, so that no two requests get the last one.
 * The account must have its turn.
 */
export async function takePlace(tx: Tx, userId: string, limit: number): Promise<boolean> {
  let update = tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '+', 1) }))
    .where('user_id', '=', userId)
  if (limit !== UNLIMITED) update = update.where('used', '<', limit)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function freePlace(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('code_usage')
    .set((row) => ({ used: row('used', '-', 1) }))
    .where('user_id', '=', userId)
    .execute()
}
