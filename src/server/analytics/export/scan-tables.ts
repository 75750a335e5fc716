import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { BYTE_ORDER_MARK } from '#contract/csv.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Location } from '../../database/connect.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { type Offset, QUARTER_MS, utcDay } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { WorkThreads } from '../../work-threads.ts'
import type { Period, Wanted } from '../query/scan-rows.ts'
import { packsState } from '../store/packs/packs-store.ts'
import { SCANS_MAX } from '../store/packs/reader.ts'
import { type NamedCode, SCAN_TITLES } from './scan-lines.ts'

const THREAD = {
  thread: new URL('./scans-thread.ts', import.meta.url),
  taskMs: 30_000,
  /** It keeps the day in hand while a slow reader takes the last page. */
  idleMs: 30_000,
  /** Decoded scans lie outside of this. */
  memory: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 },
}

/** Some rows of the table: those of a UTC day, or of a part of it. */
export type ScansTask = Wanted & {
  location: Location
  workspaceId: WorkspaceId
  /** The codes as JSON. All tasks of one table share the memory; `table` identifies the table. */
  codes: SharedArrayBuffer
  table: string
  /** The offsets of the zone in which times are written */
  offsets: Offset[]
  /** Scans before this UTC day that noted no UTM parameters have those of their code. */
  utmFrom: number
  /** Epoch milliseconds, within one UTC day */
  from: number
  to: number
  /** Makes JSON objects in place of lines: how many at most, and how many of the first second to leave out */
  objects?: { most: number; skip: number }
}

/** `text` has the `rows` scans from `from` up to `next`, of which second it has `skip`. */
export type ScansAnswer = { text: Uint8Array; rows: number; next: number; skip: number }

/** The scans that a table has. Its period is in quarter-hours. */
export type TableOrder = Wanted &
  Period & { workspaceId: WorkspaceId; codes: NamedCode[]; offsets: Offset[]; utmFrom: number }

/** The reader of a table: the owner in queues, and the signal that it is needed no more. */
export type Taker = { owner: string; signal: AbortSignal }

/**
 * Tables of single scans, made while they are sent: a page at a time, in a thread of its own, and none
 * ahead. Tables of several accounts take turns by the page.
 */
export class ScanTables {
  readonly #location: Location
  readonly #pages = new FairQueue({ ...queues.scanTables, atOnce: 1 })
  readonly #threads = new WorkThreads<ScansTask, ScansAnswer>(THREAD)
  #isStopped = false

  constructor(location: Location) {
    this.#location = location
  }

  /**
   * A whole table: its titles, then the scans from the oldest on.
   * @param days in which there may be scans: see `daysWithScans`
   * @throws whatever keeps a page from being made. Then the table has no end, and its sender must say so
   */
  async *table(order: TableOrder, days: number[], taker: Taker): AsyncGenerator<Uint8Array> {
    yield Buffer.from(BYTE_ORDER_MARK + SCAN_TITLES)
    const { codes, from, to, ...wanted } = order
    const known = { location: this.#location, table: randomUUID(), codes: shared(codes) }
    for (const day of days) {
      let at = Math.max(from * QUARTER_MS, day * DAY_MS)
      const end = Math.min(to * QUARTER_MS, (day + 1) * DAY_MS)
      while (at < end) {
        const { text, next } = await this.#page({ ...known, ...wanted, from: at, to: end }, taker)
        if (text.length > 0) yield text
        at = next
      }
    }
  }

  /** The scans of a table from a place on, as the JSON of a list, and the place of the next ones; null at the end. */
  async part(
    { codes, from, to, ...wanted }: TableOrder,
    days: number[],
    { at, skip, limit }: { at: number; skip: number; limit: number },
    taker: Taker,
  ): Promise<{ items: Buffer; next: { at: number; skip: number } | null }> {
    const known = { location: this.#location, table: randomUUID(), codes: shared(codes) }
    const texts: string[] = []
    const items = () => Buffer.from(`[${texts.join()}]`)
    let rows = 0
    for (const day of days) {
      const end = Math.min(to * QUARTER_MS, (day + 1) * DAY_MS)
      const begin = Math.max(from * QUARTER_MS, day * DAY_MS, at)
      if (begin >= end) continue
      if (rows >= limit) return { items: items(), next: { at: begin, skip: 0 } }
      const objects = { most: limit - rows, skip: begin === at ? skip : 0 }
      const task = { ...known, ...wanted, from: begin, to: end, objects }
      const page = await this.#page(task, taker)
      if (page.rows > 0) texts.push(Buffer.from(page.text).toString())
      rows += page.rows
      if (page.next < end) return { items: items(), next: { at: page.next, skip: page.skip } }
    }
    return { items: items(), next: null }
  }

  #page(task: ScansTask, { owner, signal }: Taker): Promise<ScansAnswer> {
    const work = async () => {
      if (this.#isStopped) throw new AppError('unavailable')
      return this.#threads.perform(task)
    }
    return this.#pages.run(owner, work, signal, true)
  }

  /** Ends the thread, and starts none again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#threads.end()
  }
}

/** Memory that threads share: an account may have ten thousand codes, and a table a thousand pages. */
function shared(codes: NamedCode[]): SharedArrayBuffer {
  const bytes = Buffer.from(JSON.stringify(codes))
  const memory = new SharedArrayBuffer(bytes.length)
  Buffer.from(memory).set(bytes)
  return memory
}

/**
 * The UTC days of a period in which an account may have scans, in their order.
 * @throws AppError range_too_long where one of them has more than can be read at once
 */
export async function daysWithScans(
  db: Db,
  workspaceId: WorkspaceId,
  { from, to }: Period,
): Promise<number[]> {
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
  if (packed.some(({ scans }) => Number(scans) > SCANS_MAX)) throw new AppError('range_too_long')
  const days = new Set(packed.map(({ day }) => day))
  for (let day = Math.max(first, utcDay(until)); day <= last; day++) days.add(day)
  return [...days].sort((one, other) => one - other)
}
