import type { Database } from '../../../database/connect.ts'
import { transact } from '../../../database/transact.ts'
import { firstDayOfMonth, monthOf, utcDay } from '../../../dates.ts'
import { raiseFirstCompleteDay } from '../ledger/marks.ts'
import { dropPartitionsBefore } from '../ledger/partitions.ts'
import { idFromDay } from '../ledger/scan-ids.ts'
import { noteLedgerChange, packsState } from '../packs/packs-state.ts'
import { replacePacks } from '../packs/packs-store.ts'

/** Scans, and parts of packs, that go in one step */
const ROWS = 2_000
const PARTS = 100

/**
 * Removes some scans of months before the last `months` whole ones from the ledger and its packs; their
 * rollups stay. Returns whether there is more to do. On PostgreSQL whole partitions go at once.
 */
export async function retentionStep(
  database: Database,
  now: Date,
  months: number | undefined,
): Promise<boolean> {
  if (months === undefined) return false
  const { db, reads, location } = database
  const day = firstDayOfMonth(monthOf(utcDay(now.getTime())) - months)
  const state = await packsState(reads)
  const parts = reads.selectFrom('scan_packs').select(['user_id', 'day', 'part'])
  const gone = await parts.where('day', '<', day).limit(PARTS).execute()
  if (gone.length > 0) {
    await raiseFirstCompleteDay(db, day)
    await replacePacks(database, state, { gone })
    return true
  }
  if (location.engine === 'postgres' && (await dropPartitionsBefore(database, day))) return true
  const scans = reads.selectFrom('scans').select('id').where('id', '<', idFromDay(day))
  const last = (await scans.orderBy('id').limit(ROWS).execute()).at(-1)
  if (!last) return false
  await raiseFirstCompleteDay(db, day)
  await transact(db, async (tx) => {
    await noteLedgerChange(tx)
    await tx.deleteFrom('scans').where('id', '<=', last.id).execute()
  })
  return true
}
