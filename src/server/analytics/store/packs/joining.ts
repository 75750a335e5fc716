import type { Db } from '../../../database/schema.ts'
import { utcDay } from '../../../dates.ts'
import { markOf, setMark } from '../ledger/marks.ts'
import { combine, decode } from './pack.ts'
import { JOINED, type PacksState, packsState } from './packs-state.ts'
import {
  type NewPack,
  PART_ENOUGH,
  type PackRow,
  type PacksDatabase,
  packOf,
  replacePacks,
} from './packs-store.ts'

/** Scans, and accounts, whose parts one step joins, and parts of one account. */
const ROWS_STEP = 100_000
const ACCOUNTS_STEP = 200
const PARTS_STEP = 500

type SmallPart = Pick<PackRow, 'user_id' | 'day' | 'part' | 'rows' | 'data'>

/**
 * Joins the small parts of a UTC day that is over, so that each account has few. Returns whether there
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
  const gone: SmallPart[] = []
  const added: NewPack[] = []
  let rows = 0
  for (const userId of scattered) {
    const parts = await partsToJoin(reads, userId, day)
    const [first] = parts
    if (!first) continue
    const scans = combine(parts.map(({ data }) => decode(data)))
    added.push(packOf({ userId, day, part: first.part, scans }))
    gone.push(...parts)
    rows += scans.size
    if (rows >= ROWS_STEP) break
  }
  await replacePacks(database, state, { gone, added })
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
async function partsToJoin(db: Db, userId: string, day: number): Promise<SmallPart[]> {
  const small = await db
    .selectFrom('scan_packs')
    .select(['user_id', 'day', 'part', 'rows', 'data'])
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .where('rows', '<', PART_ENOUGH)
    .orderBy('part')
    .limit(PARTS_STEP)
    .execute()
  let rows = 0
  return small.filter(({ rows: size }) => {
    const isTaken = rows < PART_ENOUGH
    rows += size
    return isTaken
  })
}
