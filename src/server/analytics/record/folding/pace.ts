import { MINUTE_MS } from '#contract/time.ts'
import type { Batches } from '../../store/scans-store.ts'
import { FAILURES, type FoldingNews } from './folding-messages.ts'

/*
 * How much is folded at once, and how long until the next fold. Few large transactions cost less CPU a
 * scan than many small ones; but while one runs, no user can save, and a scan must soon be in the
 * numbers.
 */

const SCANS_MIN = 1_000
const SCANS_MAX = 8_000
const TRANSACTION_MS = 60

/** A scan is in the numbers after this and a transaction. */
const PAUSE_MAX_MS = 150
const PAUSE_MS_PER_SCAN = 0.5
/** SQLite's other writers look for the lock about this often. */
const PAUSE_MIN_MS = 5
const CAUGHT_UP_PAUSE_MAX_MS = 50
/** The share of its time in which a fold may work while callers ask for one after the other. */
const CAUGHT_UP_SHARE = 0.1

const RETRY_MIN_MS = 10
const RETRY_MAX_MS = 5_000

/** A transaction as it was. */
export type Done = { scans: number; ms: number }

/** How many scans the next transaction takes, after one of `last` that had room for `scansMax`. */
export function nextScansMax(last: Done, scansMax = SCANS_MAX): number {
  // A small one is mostly the disk's time.
  if (last.scans < SCANS_MIN) return scansMax
  const fitting = Math.round((last.scans * TRANSACTION_MS) / Math.max(last.ms, 1))
  return Math.min(SCANS_MAX, Math.max(SCANS_MIN, fitting))
}

/** Milliseconds until the next fold. `isBehind`: it has become too much to wait for more. */
export function pauseAfter({ scans }: Done, isBehind: boolean): number {
  if (isBehind) return PAUSE_MIN_MS
  return Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, scans * PAUSE_MS_PER_SCAN))
}

/** The same while a caller waits for their own scan. */
export function pauseForReader({ ms }: Done): number {
  return Math.min(CAUGHT_UP_PAUSE_MAX_MS, ms / CAUGHT_UP_SHARE - ms)
}

/** Half of the time is left to redirects while an ended process's journal is folded. */
export const pauseInTakeOver = (ms: number) => Math.max(PAUSE_MIN_MS, ms)

/** Milliseconds until a fold that failed so often in a row is tried again. */
export const retryAfter = (failures: number) =>
  Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(failures, 30))

const fitting = { nextScansMax, pauseAfter, pauseForReader, pauseInTakeOver }

const fixed = ({ scansMax, pauseMs, readerPauseMs }: Batches): typeof fitting => ({
  nextScansMax: () => scansMax,
  pauseAfter: () => pauseMs,
  pauseForReader: () => readerPauseMs,
  pauseInTakeOver: () => pauseMs,
})

/** The pace of a store: its own, or one at which each transaction is short. */
export const paceOf = (batches: Batches | undefined) => (batches ? fixed(batches) : fitting)

const SAY_EVERY_MS = MINUTE_MS

export type RetriesDeps = { counts: Float64Array; tell: (news: FoldingNews) => void }

/** Tries again what failed, later each time; says so at once and then once a minute. */
export class Retries {
  readonly #deps: RetriesDeps
  #failures = 0
  #dueAt = 0
  #saidAt = Number.NEGATIVE_INFINITY

  constructor(deps: RetriesDeps) {
    this.#deps = deps
  }

  /** Does it, unless it is not yet time again. @param work answers milliseconds until the next turn */
  async attempt(work: () => Promise<number>): Promise<number> {
    const left = this.#dueAt - performance.now()
    if (this.#failures > 0 && left > 0) return left
    try {
      const pause = await work()
      this.#succeed()
      return pause
    } catch (error) {
      return this.#fail(error as Error)
    }
  }

  #succeed() {
    if (this.#failures === 0) return
    this.#failures = 0
    this.#saidAt = Number.NEGATIVE_INFINITY
    this.#deps.tell({ recovered: true })
  }

  #fail(error: Error): number {
    const { counts, tell } = this.#deps
    counts[FAILURES] = (counts[FAILURES] ?? 0) + 1
    const now = performance.now()
    if (now - this.#saidAt >= SAY_EVERY_MS) {
      this.#saidAt = now
      tell({ failed: error.message })
    }
    const pause = retryAfter(this.#failures++)
    this.#dueAt = now + pause
    return pause
  }
}
