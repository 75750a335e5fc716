import { randomUUID } from 'node:crypto'
import { BYTE_ORDER_MARK } from '#contract/csv.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Location } from '../../database/connect.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { type Offset, QUARTER_MS } from '../../dates.ts'
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

/** The scans that a table has. Its period is in quarter-hours. */
export type TableOrder = Wanted &
  Period & {
    workspaceId: WorkspaceId
    codes: NamedCode[]
    /** The offsets of the zone in which times are written */
    offsets: Offset[]
    /** Scans before this UTC day that noted no UTM parameters have those of their code. */
    utmFrom: number
  }

/** Some rows of the table: from `from` up to `to` in epoch milliseconds, within one UTC day. */
export type ScansTask = Omit<TableOrder, 'codes'> & {
  location: Location
  /** The codes as JSON. All tasks of one table share the memory; `table` identifies the table. */
  codes: SharedArrayBuffer
  table: string
  /** Makes JSON objects in place of lines: how many at most, and how many of the first second to leave out */
  objects?: { most: number; skip: number }
}

/** `text` has the `rows` scans from `from` up to `next`, of which second it has `skip`. */
export type ScansAnswer = { text: Uint8Array; rows: number; next: number; skip: number }

/** The reader of a table: the owner in queues, and the signal that it is needed no more. */
export type Taker = { owner: string; signal: AbortSignal }

export type ScanTables = ReturnType<typeof scanTables>

/**
 * Tables of single scans, made while they are sent: a page at a time, in a thread of its own, and none
 * ahead. Tables of several accounts take turns by the page.
 */
export function scanTables(location: Location) {
  const pages = new FairQueue({ ...queues.scanTables, atOnce: 1 })
  const threads = new WorkThreads<ScansTask, ScansAnswer>(THREAD)
  const pageOf = (task: ScansTask, { owner, signal }: Taker) =>
    pages.run(owner, () => threads.perform(task), signal, true)

  /**
   * A whole table: its titles, then the scans from the oldest on.
   * @param days in which there may be scans
   * @throws whatever keeps a page from being made. Then the table has no end, and its sender must say so
   */
  async function* table(order: TableOrder, days: number[], taker: Taker) {
    yield Buffer.from(BYTE_ORDER_MARK + SCAN_TITLES)
    const taskOf = tasksOf(location, order)
    for (const [begin, end] of periodsOf(order, days)) {
      for (let at = begin; at < end; ) {
        const { text, next } = await pageOf(taskOf(at, end), taker)
        if (text.length > 0) yield text
        at = next
      }
    }
  }

  /** The scans of a table from a place on, as the JSON of a list, and the place of the next ones; null at the end. */
  async function part(
    order: TableOrder,
    days: number[],
    { at, skip, limit }: { at: number; skip: number; limit: number },
    taker: Taker,
  ): Promise<{ items: Buffer; next: { at: number; skip: number } | null }> {
    const taskOf = tasksOf(location, order)
    const texts: string[] = []
    let next: { at: number; skip: number } | null = null
    let left = limit
    for (const [begin, end] of periodsOf(order, days, at)) {
      next = { at: begin, skip: begin === at ? skip : 0 }
      if (left === 0) break
      const objects = { most: left, skip: next.skip }
      const page = await pageOf({ ...taskOf(begin, end), objects }, taker)
      if (page.rows > 0) texts.push(Buffer.from(page.text).toString())
      left -= page.rows
      next = page.next < end ? { at: page.next, skip: page.skip } : null
      if (next) break
    }
    return { items: Buffer.from(`[${texts.join()}]`), next }
  }

  /** `stop` ends the thread, and starts none again. */
  return { table, part, stop: () => threads.stop() }
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
