import type { Database } from '../../../database/connect.ts'
import { transact } from '../../../database/transact.ts'
import { firstDayOfMonth, monthOf, utcDay } from '../../../dates.ts'
import { dropPartitionsBefore } from '../ledger/partitions.ts'
import { idFromDay } from '../ledger/scan-ids.ts'
import { raiseWholeFrom } from '../ledger/whole-days.ts'
import { noteLedgerChange } from '../packs/packs-state.ts'
import { hasPacksBefore, removePacksBefore } from './retirement.ts'

const ROWS = 2_000

/**
 * Removes some scans of months before the last `months` whole ones from the ledger and its packs; their rollups stay.
 * Answers whether there is more to do. On PostgreSQL whole partitions go at once.
 */
export async function retentionStep(
  database: Database,
  now: Date,
  months: number | undefined,
): Promise<boolean> {
  if (months === undefined) return false
  const { db, reads, location } = database
  const day = firstDayOfMonth(monthOf(utcDay(now.getTime())) - months)
  if (await hasPacksBefore(reads, day)) {
    await raiseWholeFrom(db, day)
    await removePacksBefore(database, day)
    return true
  }
  if (location.engine === 'postgres' && (await dropPartitionsBefore(database, day))) return true
  const old = await reads
    .selectFrom('scans')
    .select('id')
    .where('id', '<', idFromDay(day))
    .orderBy('id')
    .limit(ROWS)
    .execute()
  const last = old.at(-1)
  if (!last) return false
  await raiseWholeFrom(db, day)
  await transact(db, async (tx) => {
    await noteLedgerChange(tx)
    await tx.deleteFrom('scans').where('id', '<=', last.id).execute()
  })
  return true
}
