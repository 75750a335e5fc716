import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/time.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { utcDay } from '../../../dates.ts'
import { dayOfId, idFrom, instantOfId } from '../ledger/scan-ids.ts'
import { atOneInstant } from '../repair/rebuild-day.ts'
import { whileNobodyFolds } from '../upkeep/totals-filling.ts'
import { joinStep } from './joining.ts'
import {
  claimPacks,
  joinAgainFrom,
  PacksChanged,
  type PacksState,
  packsState,
  unlessChanged,
} from './packs-state.ts'
import { addPacks, type PacksDatabase } from './packs-store.ts'
import { countScans, packsOf, type Stretch } from './stretches.ts'

/** Scans are on their way from the journal for a moment. One that comes later still is packed too, which costs more. */
const LATE_MS = 2 * MINUTE_MS
/** Fewer scans wait until their UTC day is over: each time makes a pack an account. */
const ROWS_LEAST = 10_000
const ROWS_MOST = 50_000
/** A mark so far ahead was set by a clock that was wrong. */
const AHEAD_MS = HOUR_MS

export type PackingLimits = { least: number; most: number }
const LIMITS: PackingLimits = { least: ROWS_LEAST, most: ROWS_MOST }

/**
 * Packs the oldest scans that are in no pack, if they are many or of a UTC day that is over. Answers
 * whether there may be more to do.
 *
 * It reads and packs without a lock. The transaction then counts the scans of the stretch again, while
 * nobody folds: if one has come meanwhile, the step is done again another time.
 */
export async function packStep(
  database: PacksDatabase,
  now: Date,
  limits = LIMITS,
): Promise<boolean> {
  const state = await packsState(database.reads)
  const bound = now.getTime() - LATE_MS
  if (state.until > bound + AHEAD_MS) {
    await goBack(database, state, bound)
    return true
  }
  const stretch = await nextStretch(database.reads, state, now, limits)
  if (!stretch) return false
  const { scans, packs } = await atOneInstant(database, (db) => packsOf(db, stretch))
  const pack = async (tx: Tx) => {
    const version = await claimPacks(tx, state, stretch.to)
    if ((await countScans(tx, stretch)) !== scans) throw new PacksChanged()
    // A command that takes the mark away has everything packed anew.
    if (state.until === 0) {
      await tx.deleteFrom('scan_packs').execute()
      await joinAgainFrom(tx, 0)
    }
    await addPacks(tx, packs, version)
  }
  await unlessChanged(() => whileNobodyFolds(database, pack))
  return true
}

/** Packs all scans that are due, and joins their parts, at once. */
export async function packAll(database: PacksDatabase, now: Date): Promise<void> {
  while (await packStep(database, now));
  while (await joinStep(database));
}

/** What is to be packed next; undefined if nothing is due. */
export async function nextStretch(
  db: Db,
  { until }: PacksState,
  now: Date,
  { least, most } = LIMITS,
): Promise<Stretch | undefined> {
  const bound = now.getTime() - LATE_MS
  const idAfter = async (skipped: number) => {
    const row = await db
      .selectFrom('scans')
      .select('id')
      .where('id', '>=', idFrom(until))
      .where('id', '<', idFrom(bound))
      .orderBy('id')
      .offset(skipped)
      .limit(1)
      .executeTakeFirst()
    return row?.id
  }
  const first = await idAfter(0)
  if (first === undefined) return undefined
  const isDue = dayOfId(first) < utcDay(bound) || (await idAfter(least - 1)) !== undefined
  if (!isDue) return undefined
  const beyond = await idAfter(most)
  const end = beyond === undefined ? bound : instantOfId(beyond)
  // All scans of one millisecond are packed at once.
  return { from: until, to: Math.max(end, instantOfId(first) + 1) }
}

/** A clock was ahead: what is of today or later is packed again when it is time. */
async function goBack(database: PacksDatabase, state: PacksState, bound: number): Promise<void> {
  const today = utcDay(bound)
  const unpack = async (tx: Tx) => {
    await claimPacks(tx, state, today * DAY_MS)
    await tx.deleteFrom('scan_packs').where('day', '>=', today).execute()
    await joinAgainFrom(tx, today)
  }
  await unlessChanged(() => whileNobodyFolds(database, unpack))
}
