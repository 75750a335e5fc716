import { randomUUID } from 'node:crypto'
import { BYTE_ORDER_MARK } from '#contract/csv.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Location } from '../../database/connect.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { type Offset, QUARTER_MS } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { WorkThreads } from '../../work-threads.ts'
import type { Period, Wanted } from '../store/scans-store.ts'
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
   * @param days in which there may be scans
   * @throws whatever keeps a page from being made. Then the table has no end, and its sender must say so
   */
  async *table(order: TableOrder, days: number[], taker: Taker): AsyncGenerator<Uint8Array> {
    yield Buffer.from(BYTE_ORDER_MARK + SCAN_TITLES)
    const taskOf = tasksOf(this.#location, order)
    for (const [begin, end] of periodsOf(order, days)) {
      for (let at = begin; at < end; ) {
        const { text, next } = await this.#page(taskOf(at, end), taker)
        if (text.length > 0) yield text
        at = next
      }
    }
  }

  /** The scans of a table from a place on, as the JSON of a list, and the place of the next ones; null at the end. */
  async part(
    order: TableOrder,
    days: number[],
    { at, skip, limit }: { at: number; skip: number; limit: number },
    taker: Taker,
  ): Promise<{ items: Buffer; next: { at: number; skip: number } | null }> {
    const taskOf = tasksOf(this.#location, order)
    const texts: string[] = []
    const items = () => Buffer.from(`[${texts.join()}]`)
    let rows = 0
    for (const [begin, end] of periodsOf(order, days, at)) {
      if (rows >= limit) return { items: items(), next: { at: begin, skip: 0 } }
      const objects = { most: limit - rows, skip: begin === at ? skip : 0 }
      const page = await this.#page({ ...taskOf(begin, end), objects }, taker)
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

/** The parts of these days, in epoch milliseconds, that are in the order's period and not before `at`. */
const periodsOf = ({ from, to }: Period, days: number[], at = 0) =>
  days
    .map((day) => [
      Math.max(from * QUARTER_MS, day * DAY_MS, at),
      Math.min(to * QUARTER_MS, (day + 1) * DAY_MS),
    ])
    .filter((period): period is [number, number] => Number(period[0]) < Number(period[1]))

/** All tasks of a table share the memory of its codes: an account may have ten thousand, and a table a thousand pages. */
function tasksOf(location: Location, { codes, ...wanted }: TableOrder) {
  const bytes = Buffer.from(JSON.stringify(codes))
  const memory = new SharedArrayBuffer(bytes.length)
  Buffer.from(memory).set(bytes)
  const known = { ...wanted, location, table: randomUUID(), codes: memory }
  return (from: number, to: number): ScansTask => ({ ...known, from, to })
}
