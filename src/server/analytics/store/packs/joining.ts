import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { utcDay } from '../../../dates.ts'
import { markOf, setMark } from '../ledger/marks.ts'
import { combine } from './pack.ts'
import { claimPacks, JOINED, type PacksState, packsState, unlessChanged } from './packs-state.ts'
import {
  addPacks,
  type NewPack,
  PART_ENOUGH,
  type PacksDatabase,
  packOf,
  removePacks,
  scansOfParts,
} from './packs-store.ts'

/** Scans, and accounts, whose parts one step joins. */
const ROWS_STEP = 100_000
const ACCOUNTS_STEP = 200

/**
 * Joins the small parts of a UTC day that is over, so that each account has few. Answers whether there
 * may be more to do.
 */
export async function joinStep(database: PacksDatabase): Promise<boolean> {
  const { db, reads } = database
  const state = await packsState(reads)
  const day = await dayToJoin(reads, state)
  if (day === undefined) return false
  const scattered = await accountsToJoin(reads, day)
  if (scattered.length === 0) {
    await setMark(db, JOINED, day + 1)
    return true
  }
  const joined: { pack: NewPack; parts: string[] }[] = []
  let rows = 0
  for (const userId of scattered) {
    const parts = await partsToJoin(reads, userId, day)
    const [part] = parts
    if (part === undefined) continue
    const scans = combine(await scansOfParts(reads, userId, day, parts))
    joined.push({ pack: packOf({ userId, day, part, scans }), parts })
    rows += scans.size
    if (rows >= ROWS_STEP) break
  }
  await unlessChanged(() =>
    transact(db, async (tx) => {
      const version = await claimPacks(tx, state)
      for (const { pack, parts } of joined) await removePacks(tx, pack.user_id, day, parts)
      await addPacks(
        tx,
        joined.map(({ pack }) => pack),
        version,
      )
    }),
  )
  return true
}

/** The first UTC day that is over and whose parts may have to be joined. */
export async function dayToJoin(db: Db, { until }: PacksState): Promise<number | undefined> {
  const day = await db
    .selectFrom('scan_packs')
    .select('day')
    .where('day', '>=', (await markOf(db, JOINED))?.at ?? 0)
    .where('day', '<', utcDay(until))
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return day?.day
}

/** Accounts with several small parts on this day. */
async function accountsToJoin(db: Db, day: number): Promise<string[]> {
  const rows = await db
    .selectFrom('scan_packs')
    .select('user_id')
    .where('day', '=', day)
    .where('rows', '<', PART_ENOUGH)
    .groupBy('user_id')
    .having((row) => row.fn.countAll(), '>', 1)
    .orderBy('user_id')
    .limit(ACCOUNTS_STEP)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The first small parts, until they are enough together. */
async function partsToJoin(db: Db, userId: string, day: number): Promise<string[]> {
  const small = await db
    .selectFrom('scan_packs')
    .select(['part', 'rows'])
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .where('rows', '<', PART_ENOUGH)
    .orderBy('part')
    .execute()
  const parts: string[] = []
  let rows = 0
  for (const each of small) {
    if (rows >= PART_ENOUGH) break
    parts.push(each.part)
    rows += each.rows
  }
  return parts
}
