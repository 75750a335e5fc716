import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { batchesOf } from '../../../batches.ts'
import type { Database } from '../../../database/connect.ts'
import type { WorkspaceId } from '../../../database/ids.ts'
import type { Db, Tables } from '../../../database/schema.ts'
import { atOneInstant } from '../../../database/transact.ts'
import { QUARTER_MS, QUARTERS_A_DAY, quarterOf, utcDay } from '../../../dates.ts'
import type { OwnScans } from '../clickhouse/own-scans.ts'
import type { AskedScans, PackedScans, Period, ScanPart, ScansCounts } from '../scans-store.ts'
import { NewestScans } from './ledger-scans.ts'
import { DAY_SECONDS, decode, memoryOf, rowAt } from './pack.ts'
import { packsState } from './packs-store.ts'
import { isSummedByCode, type SumKind, type SumList, type SumName, sumIn } from './sums.ts'

/** The most scans of an account that one reading has, of whatever codes */
const SCANS_MAX = 3_000_000
const CACHE_BYTES = 64 * 1024 * 1024
/** Scans in packs that are read at once, and packs */
const BATCH = 200_000
const BATCH_PACKS = 500

/** The sum of a whole UTC day is asked for; of one code it is that code's. */
export type SummedDays = {
  kind: SumKind
  name: SumName
  add: (day: number, sum: SumList) => void
}

type Pack = Pick<Tables['scan_packs'], 'day' | 'part' | 'version' | 'rows'>

/**
 * Reads an account's scans, wherever they are: in packs (packs/pack.ts), or in the ledger if they came in
 * the last minutes. It keeps what it has decoded, so make one for all readings of a thread. It needs
 * nothing but a database to read from, and should have a thread of its own: a million scans take some
 * ten milliseconds to count.
 */
export class ScanReader implements Pick<ScansCounts, 'rows'> {
  readonly #source: Pick<Database, 'reads' | 'location'>
  readonly #decoded: LRUCache<string, PackedScans>
  readonly #newest = new NewestScans()

  constructor(source: Pick<Database, 'reads' | 'location'>, cacheBytes = CACHE_BYTES) {
    this.#source = source
    this.#decoded = new LRUCache({ maxSize: cacheBytes, sizeCalculation: memoryOf })
  }

  /**
   * Hands over each scan once, in parts of at most a UTC day each; all parts are of one instant of the
   * database. A day may come in several parts, the days in no certain order.
   *
   * Each answer is right by itself: a long range can be read day by day, with as many calls, and nothing is
   * missed or doubled. A stream to a slow reader must do that, since a snapshot that is held for long keeps
   * SQLite's log from being written back.
   *
   * @param count is called for each part that has codes of these. What it throws ends the reading.
   * @param summed takes the sums of whole UTC days instead, from the packs that have them
   * @returns up to where; undefined if more than SCANS_MAX scans would have to be read, also of codes not asked for.
   * Then no scan was handed over, but some sums may have been
   */
  async rows(
    { codeIds, workspaceId, ...asked }: AskedScans,
    count: (part: ScanPart) => void,
    summed?: SummedDays,
  ): Promise<number | undefined> {
    const codes = new Set<string | null>(codeIds)
    const range = {
      workspaceId,
      from: Math.floor(asked.from / 1_000),
      to: Math.floor(asked.to / 1_000),
    }
    if (codes.size === 0 || range.to <= range.from) return asked.to
    const hand = (scans: PackedScans) => {
      const part = partOf(scans, codes, range)
      if (part) count(part)
    }
    return atOneInstant(this.#source, async (db) => {
      const packs = summed ? await addSums(db, range, codes, summed) : await packsIn(db, range)
      const isTooMuch = packs.reduce((sum, { rows }) => sum + rows, 0) > SCANS_MAX
      const newest = isTooMuch ? undefined : await this.#newest.of(db, workspaceId, asked.to)
      if (!newest) return undefined
      for await (const scans of this.#scansOf(db, workspaceId, packs)) hand(scans)
      newest.forEach(hand)
      return asked.to
    })
  }

  async *#scansOf(db: Db, workspaceId: WorkspaceId, packs: Pack[]): AsyncGenerator<PackedScans> {
    // However few scans they have, they are at most BATCH_PACKS.
    const sizeOf = ({ rows }: Pack) => Math.max(rows, BATCH / BATCH_PACKS)
    for (const batch of batchesOf(packs, BATCH, sizeOf)) {
      const known = batch.map((pack) => this.#decoded.get(keyOf(workspaceId, pack)))
      const bytes = await dataOf(
        db,
        workspaceId,
        batch.filter((_, index) => !known[index]),
      )
      for (const [index, pack] of batch.entries()) {
        // The snapshot has each part that it listed.
        const scans = known[index] ?? decode(bytes.get(pack.part) as Uint8Array)
        if (!known[index]) this.#decoded.set(keyOf(workspaceId, pack), scans)
        yield scans
      }
    }
  }
}

/** A part that is written again has another version. */
const keyOf = (workspaceId: WorkspaceId, { day, part, version }: Pack) =>
  `${workspaceId} ${day} ${part} ${version}`

type Codes = ReadonlySet<string | null>
type Range = { workspaceId: WorkspaceId; from: number; to: number }

/** The packs of a range, with the sums of this column if one is named. */
async function packsIn(db: Db, { workspaceId, from, to }: Range, column?: 'sums' | 'code_sums') {
  const sums = column ? sql.ref<Uint8Array | null>(column) : sql<null>`null`
  return db
    .selectFrom('scan_packs')
    .select(['day', 'part', 'version', 'rows', sums.as('sums')])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', utcDay(from * 1_000))
    .where('day', '<=', utcDay(to * 1_000 - 1))
    .orderBy('day')
    .orderBy('part')
    .execute()
}

/** Takes the sums that packs have of these codes, and returns the packs whose scans are to be read. */
async function addSums(db: Db, range: Range, codes: Codes, { kind, name, add }: SummedDays) {
  const [first] = codes
  const one = codes.size === 1 ? (first as string) : undefined
  if (one !== undefined && !isSummedByCode(name)) return packsIn(db, range)
  const hasOthers = one === undefined ? await daysWithOtherCodes(db, range, codes) : () => false
  const rest: Pack[] = []
  for (const pack of await packsIn(db, range, one === undefined ? 'sums' : 'code_sums')) {
    if (!pack.sums || hasOthers(pack.day)) rest.push(pack)
    else add(pack.day, sumIn(pack.sums, kind, name, one))
  }
  return rest
}

async function dataOf(db: Db, workspaceId: WorkspaceId, packs: Pack[]) {
  if (packs.length === 0) return new Map()
  const rows = await db
    .selectFrom('scan_packs')
    .select(['part', 'data'])
    .where('workspace_id', '=', workspaceId)
    .where('day', 'in', [...new Set(packs.map(({ day }) => day))])
    .where(
      'part',
      'in',
      packs.map(({ part }) => part),
    )
    .execute()
  return new Map(rows.map(({ part, data }) => [part, data]))
}

/** The scans of these codes in a range of epoch seconds; undefined if there are none. */
export function partOf(scans: PackedScans, codes: Codes, { from, to }: Pick<Range, 'from' | 'to'>) {
  const start = scans.day * DAY_SECONDS
  const [begin, end] = [rowAt(scans, from - start), rowAt(scans, to - start)]
  const isAsked = Uint8Array.from(scans.columns.code_id.values, (code) => Number(codes.has(code)))
  return begin < end && isAsked.includes(1) ? { scans, begin, end, isAsked } : undefined
}

/** Ids in one query, below the parameter limits of both engines. */
const IDS_MAX = 1_000

/**
 * Tells the UTC days on which an account has scans of other codes than these, such as those in the bin:
 * the sums of all codes are not theirs then. After a purge it may be any day.
 */
async function daysWithOtherCodes(db: Db, { workspaceId, from, to }: Range, codes: Codes) {
  const purged = db
    .selectFrom('forgotten_codes')
    .select('code_id')
    .where('workspace_id', '=', workspaceId)
  if (await purged.limit(1).executeTakeFirst()) return () => true
  const own = await db
    .selectFrom('codes')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .execute()
  const others = own.map(({ id }) => id).filter((id) => !codes.has(id))
  const days = new Set<number>()
  for (const ids of batchesOf(others, IDS_MAX)) {
    const { rows } = await sql<{ day: number }>`
      select distinct quarter / ${sql.lit(QUARTERS_A_DAY)} as day from scan_counts
      where code_id in (${sql.join(ids)})
        and quarter >= ${quarterOf(from * 1_000)} and quarter < ${quarterOf(to * 1_000)}`.execute(
      db,
    )
    for (const { day } of rows) days.add(day)
  }
  return (day: number) => days.has(day)
}

export async function daysWithScans(db: Db, workspaceId: WorkspaceId, { from, to }: Period) {
  const first = utcDay(from * QUARTER_MS)
  const last = utcDay(to * QUARTER_MS - 1)
  const { until } = await packsState(db)
  const packed = await db
    .selectFrom('scan_packs')
    .select(['day', sql<number>`sum(rows)`.as('scans')])
    .where('workspace_id', '=', workspaceId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .groupBy('day')
    .execute()
  if (packed.some(({ scans }) => Number(scans) > SCANS_MAX)) return undefined
  const days = new Set(packed.map(({ day }) => day))
  for (let day = Math.max(first, utcDay(until)); day <= last; day++) days.add(day)
  return [...days].sort((one, other) => one - other)
}

export async function daysWithScansInClickHouse(own: OwnScans, { from, to }: Period) {
  const sql = `select distinct day from scans where workspace_id = {workspaceId:String}
    and day >= ${utcDay(from * QUARTER_MS)} and day <= ${utcDay(to * QUARTER_MS - 1)} order by day`
  const rows = await own.clickhouse.rows<{ day: number }>(sql, { workspaceId: own.workspaceId })
  return rows.map(({ day }) => day)
}
