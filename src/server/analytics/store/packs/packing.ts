import { sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { batchesOf } from '../../../batches.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import type { Db, Tx } from '../../../database/schema.ts'
import { atOneInstant } from '../../../database/transact.ts'
import { utcDay } from '../../../dates.ts'
import { JOINED, markOf, setMark } from '../ledger/marks.ts'
import { dayOfId, idFrom, instantOfId } from '../scan-ids.ts'
import { addRow, ledgerScans, ScansByDay, WORKSPACE } from './ledger-scans.ts'
import { combine, decode } from './pack.ts'
import {
  addPacks,
  changePacks,
  joinAgainFrom,
  type NewPack,
  PART_ENOUGH,
  type PackRow,
  PacksChanged,
  type PacksDatabase,
  type PacksState,
  packOf,
  packsState,
  removePacks,
} from './packs-store.ts'

/** Scans are on their way from the journal for a moment. One that comes later still is packed too, which costs more. */
const LATE_MS = 2 * MINUTE_MS
/** Fewer scans wait until their UTC day is over: each time makes a pack an account. */
const ROWS_LEAST = 10_000
const ROWS_MOST = 50_000

const LIMITS = { least: ROWS_LEAST, most: ROWS_MOST }

/** The ledger from one instant up to but not including another, in epoch milliseconds. */
type Stretch = { from: number; to: number }

/**
 * Packs the oldest scans that are in no pack, if they are many or of a UTC day that is over. Returns
 * whether there may be more to do. A scan that a clock ahead of this one brings late is packed with its
 * fold.
 */
export async function packStep(database: PacksDatabase, now: Date, limits = LIMITS) {
  const state = await packsState(database.reads)
  const stretch = await nextStretch(database.reads, state, now, limits)
  if (!stretch) return false
  await packStretch(database, state, stretch, async (tx) => {
    // A command that takes the mark away has everything packed again.
    if (state.until > 0) return
    await tx.deleteFrom('scan_packs').execute()
    await joinAgainFrom(tx, 0)
  })
  return true
}

/** Packs all scans that are due, and joins their parts, at once. */
export async function packAll(database: PacksDatabase, now: Date): Promise<void> {
  while (await packStep(database, now));
  while (await joinStep(database));
}

/**
 * Makes the packs of a UTC day from the ledger, after rows of it were changed. The transaction that
 * changes them calls `noteLedgerChange`.
 */
export async function repackDay(database: PacksDatabase, day: number): Promise<void> {
  for (let isDone = false; !isDone; ) {
    const state = await packsState(database.reads)
    const stretch = packedOf(day, state)
    if (stretch.to <= stretch.from) return
    isDone = await packStretch(database, state, stretch, async (tx) => {
      await tx.deleteFrom('scan_packs').where('day', '=', day).execute()
      await joinAgainFrom(tx, day)
    })
  }
}

/** Whether the packs of a UTC day have another number of some account's scans than the ledger. */
export async function lackScans(database: PacksDatabase, day: number): Promise<boolean> {
  return atOneInstant(database, async (db) => {
    const { from, to } = packedOf(day, await packsState(db))
    if (to <= from) return false
    const { rows } = await sql<{ workspace_id: string }>`
      select workspace_id from (
        select ${WORKSPACE} as workspace_id, 1 as scans from scans
        where id >= ${idFrom(from)} and id < ${idFrom(to)}
          and code_id not in (select code_id from forgotten_codes where begun < 2)
        union all select workspace_id, -rows from scan_packs where day = ${day}) as both_sides
      where workspace_id is not null group by workspace_id having sum(scans) <> 0 limit 1`.execute(
      db,
    )
    return rows.length > 0
  })
}

/** The stretch to pack next; undefined if nothing is due. */
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

/**
 * Writes packs of a stretch of the ledger; `before` takes away those that it has. It reads and packs
 * without a lock. The transaction then counts the scans again, while folding waits: if one has come
 * since, or packs have changed, it does nothing and returns false.
 */
async function packStretch(
  database: PacksDatabase,
  state: PacksState,
  stretch: Stretch,
  before: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const ids = { from: idFrom(stretch.from), to: idFrom(stretch.to) }
  const { scans, packs } = await atOneInstant(database, (db) => packsOf(db, ids))
  const until = Math.max(state.until, stretch.to)
  const replace = async (tx: Tx, version: number) => {
    if ((await countScans(tx, ids)) !== scans) throw new PacksChanged()
    await before(tx)
    await addPacks(tx, packs, version)
  }
  return changePacks(database, state, replace, { until })
}

/** The packed stretch of a UTC day. */
const packedOf = (day: number, { until }: PacksState): Stretch => ({
  from: day * DAY_MS,
  to: Math.min((day + 1) * DAY_MS, until),
})

type Ids = { from: string; to: string }

/** These scans in packs; `scans` counts them with those of purged codes, which are in none. */
async function packsOf(db: Db, ids: Ids): Promise<{ scans: number; packs: NewPack[] }> {
  const days = new ScansByDay()
  const packs: NewPack[] = []
  const leaving = await db
    .selectFrom('forgotten_codes')
    .select('code_id')
    .where('begun', '<', 2)
    .execute()
  const purged = new Set(leaving.map(({ code_id }) => code_id))
  for await (const rows of ledgerScans(db, ids)) {
    for (const row of rows) if (!purged.has(row.code_id)) addRow(days, row)
    packs.push(...days.take(PART_ENOUGH).map(packOf))
  }
  packs.push(...days.take().map(packOf))
  return { scans: await countScans(db, ids), packs }
}

async function countScans(db: Db, { from, to }: Ids): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select count(*) as scans from scans where id >= ${from} and id < ${to}`.execute(db)
  return Number(rows[0]?.scans)
}

/** Scans, and accounts, whose parts one step joins, and parts of one account. */
const ROWS_STEP = 100_000
const ACCOUNTS_STEP = 200
const PARTS_STEP = 500

type SmallPart = Pick<PackRow, 'workspace_id' | 'day' | 'part' | 'rows' | 'data'>

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
  for (const workspaceId of scattered) {
    const parts = await partsToJoin(reads, workspaceId, day)
    const [first] = parts
    if (!first) continue
    const scans = combine(parts.map(({ data }) => decode(data)))
    added.push(packOf({ workspaceId, day, part: first.part, scans }))
    gone.push(...parts)
    rows += scans.size
    if (rows >= ROWS_STEP) break
  }
  const replace = async (tx: Tx, version: number) => {
    await removePacks(tx, gone)
    await addPacks(tx, added, version)
  }
  await changePacks(database, state, replace, { mayFold: true })
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
async function accountsToJoin(db: Db, day: number): Promise<WorkspaceId[]> {
  const rows = await db
    .selectFrom('scan_packs')
    .select('workspace_id')
    .where('day', '=', day)
    .where('rows', '<', PART_ENOUGH)
    .groupBy('workspace_id')
    .having((row) => row.fn.countAll(), '>', 1)
    .orderBy('workspace_id')
    .limit(ACCOUNTS_STEP)
    .execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** The first small parts, until they are enough together. */
async function partsToJoin(db: Db, workspaceId: WorkspaceId, day: number): Promise<SmallPart[]> {
  const small = await db
    .selectFrom('scan_packs')
    .select(['workspace_id', 'day', 'part', 'rows', 'data'])
    .where('workspace_id', '=', workspaceId)
    .where('day', '=', day)
    .where('rows', '<', PART_ENOUGH)
    .orderBy('part')
    .limit(PARTS_STEP)
    .execute()
  const [first = []] = batchesOf(small, PART_ENOUGH, ({ rows }) => rows)
  return first
}
