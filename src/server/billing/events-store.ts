import { DAY_MS } from '#contract/time.ts'
import { clampFutureTimes } from '../clock.ts'
import type { Db, Tx } from '../database/schema.ts'
import { changesRow } from '../database/transact.ts'

/** How long an event's id is kept. Stripe repeats an event for up to three days. */
const KEPT_MS = 30 * DAY_MS

/** Records an event; false if it was recorded before. */
export async function recordEvent(tx: Tx, id: string, at: Date): Promise<boolean> {
  return changesRow(
    tx
      .insertInto('billing_events')
      .values({ id, at: at.getTime() })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  )
}

/** Removes events that no provider sends again. */
export async function sweepEvents(db: Db, now: Date): Promise<void> {
  await clampFutureTimes(db, 'billing_events', 'at', now)
  await db
    .deleteFrom('billing_events')
    .where('at', '<', now.getTime() - KEPT_MS)
    .execute()
}
