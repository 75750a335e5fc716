import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Tx } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'

/*
 * Reports add a code's totals to its rollups from the day on that totalled_codes says. A job fills the
 * totals (totals-filling.ts), and nothing is in them that the rollups do not have. So folding does not
 * write totals. It only takes away the mark of a code when it adds to a day that its totals may hold
 * already, which is rare: the job then sums that code again.
 */

/** Any number that nothing else in the database uses. */
const TOTALS_LOCK = 7_203_441_016

/**
 * On PostgreSQL a transaction that adds scans begins with it: no totals are filled until the transaction
 * ends. It has to be a statement of its own: one that waits for the lock sees the database as it was before
 * it waited, so it would not see what the lock's holder did.
 */
export const shareTotals = `select pg_advisory_xact_lock_shared(${TOTALS_LOCK})`

/** The job that fills totals has this to itself. */
export const holdTotals = `select pg_advisory_xact_lock(${TOTALS_LOCK})`

/** A transaction during which no process adds scans. On PostgreSQL it fails if it waits too long for them. */
export function whileFoldingWaits<T>(
  { db, location }: Pick<Database, 'db' | 'location'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return transact(db, async (tx) => {
    if (location.engine === 'postgres') {
      await sql`set local lock_timeout = '2s'`.execute(tx)
      await sql.raw(holdTotals).execute(tx)
    }
    return work(tx)
  })
}
