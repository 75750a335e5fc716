import { sql } from 'kysely'
import { DAY_MS } from '#contract/time.ts'
import type { Tx } from '../../../database/schema.ts'
import { idFrom } from '../ledger/scan-ids.ts'
import {
  claimPacks,
  joinAgainFrom,
  PacksChanged,
  type PacksState,
  packsState,
  unlessChanged,
} from '../packs/packs-state.ts'
import { addPacks, type PacksDatabase } from '../packs/packs-store.ts'
import { countScans, packsOf, type Stretch } from '../packs/stretches.ts'
import { whileNobodyFolds } from '../upkeep/totals-filling.ts'
import { atOneInstant } from './rebuild-day.ts'

/** Of a UTC day, what is packed. */
const packedOf = (day: number, { until }: PacksState): Stretch => ({
  from: day * DAY_MS,
  to: Math.min((day + 1) * DAY_MS, until),
})

/**
 * Makes the packs of a UTC day anew from the ledger, after rows of it were changed. Who changes them calls
 * `noteLedgerChange` in his transaction, and then this.
 */
export async function repackDay(database: PacksDatabase, day: number): Promise<void> {
  for (;;) {
    const state = await packsState(database.reads)
    const stretch = packedOf(day, state)
    if (stretch.to <= stretch.from) return
    const { scans, packs } = await atOneInstant(database, (db) => packsOf(db, stretch))
    const replace = async (tx: Tx) => {
      const version = await claimPacks(tx, state)
      if ((await countScans(tx, stretch)) !== scans) throw new PacksChanged()
      await tx.deleteFrom('scan_packs').where('day', '=', day).execute()
      await addPacks(tx, packs, version)
      await joinAgainFrom(tx, day)
    }
    if (await unlessChanged(() => whileNobodyFolds(database, replace))) return
  }
}

/** Whether the packs of a UTC day have another number of some account's scans than the ledger. */
export async function lackScans(database: PacksDatabase, day: number): Promise<boolean> {
  return atOneInstant(database, async (db) => {
    const { from, to } = packedOf(day, await packsState(db))
    if (to <= from) return false
    type Counted = { user_id: string; scans: number }
    const { rows: stored } = await sql<Counted>`
      select user_id, count(*) as scans from scans inner join codes on codes.id = scans.code_id
      where scans.id >= ${idFrom(from)} and scans.id < ${idFrom(to)} group by user_id`.execute(db)
    const { rows: packed } = await sql<Counted>`
      select user_id, sum(rows) as scans from scan_packs where day = ${day} group by user_id`.execute(
      db,
    )
    const counts = new Map(packed.map(({ user_id, scans }) => [user_id, Number(scans)]))
    return (
      stored.length !== packed.length ||
      stored.some(({ user_id, scans }) => counts.get(user_id) !== Number(scans))
    )
  })
}
