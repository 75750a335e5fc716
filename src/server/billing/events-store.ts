import type { Db, Tx } from '../database/schema.ts'

/** How long an event's id is kept. Stripe repeats an event for up to three days. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

export async function isKnownEvent(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('billing_events')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

/** Records an event in the transaction of its effect; false if it was recorded before. */
export async function recordEvent(tx: Tx, id: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('billing_events')
    .values({ id, at: at.getTime() })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Forgets old events. One from the future (the clock went back) is of now, or it would stay too long. */
export async function sweepEvents(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await db.updateTable('billing_events').set({ at }).where('at', '>', at).execute()
  await db
    .deleteFrom('billing_events')
    .where('at', '<', at - KEPT_MS)
    .execute()
}
