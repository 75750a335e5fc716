import type { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { Location } from '../../../database/connect.ts'
import { counter, gauge, type Metric } from '../../../http/metrics.ts'
import { startThread } from '../../../work-threads.ts'
import { markEnded, removeEnded } from '../journal/journal-directory.ts'
import type { Owned } from '../journal/ownership.ts'
import { DURABLE, FOLDED, type JournalState, SLEEPING } from '../journal/shared-memory.ts'
import {
  DAMAGED_BYTES,
  FAILURES,
  FOLDS,
  type FoldingNews,
  type FoldingOrder,
  type FoldingStart,
  FRESH,
  newFoldingCounts,
  OWN,
  REFUSED,
} from './folding-messages.ts'

/*
 * How to use it:
 *
 *   const journal = await Journal.open({ folder: own.folder, …, wake: () => folding.wake() })
 *   const folding = new Folding({ location, dataDir, own, state: journal.state, log })
 *   folding.start(onScanned)
 *   folding.take(adoptOrphans(dataDir))  // at the start and once a minute; it releases them itself
 *   await folding.flush()                // a reader who needs the scans that are on disk now
 *
 * At a stop: `journal.flush`, then `folding.stop`, then `journal.close`, then `own.release()`. If
 * `stop` answers true, the own journal's folder is gone. If not, the next start takes it.
 */

const CAUGHT_UP_LIMIT_MS = 200
/** A new thread loads its program and opens the database first; a reader waits for that too. */
const BEGINNING_MS = 2_000
const RESTART_MIN_MS = 100
const RESTART_MAX_MS = 5_000
/** A thread that lived this time was not broken from its start. */
const LIVED_MS = MINUTE_MS

type OnScanned = (codes: string[] | 'many') => void

export type FoldingDeps = {
  location: Location
  dataDir: string
  /** This process's journal */
  own: Owned
  state: JournalState
  log: FastifyBaseLogger
  /** The thread's program, in tests */
  thread?: URL
}

/**
 * The folding thread: brings journals into the database. It begins with the first that there is to
 * fold, because its program is most of what a start costs; it is started again when it dies.
 */
export class Folding {
  readonly #deps: FoldingDeps
  readonly #counts = newFoldingCounts()
  #onScanned: OnScanned = () => {}
  readonly #taken = new Map<string, Owned>()
  readonly #waiting = new Map<number, () => void>()
  #tickets = 0
  #takenEver = 0
  readonly #unreadable = new Set<string>()
  #thread: Worker | undefined
  #hasBegun = false
  #begunAt = 0
  #restartMs = RESTART_MIN_MS
  #restart: NodeJS.Timeout | undefined
  #whenStopped: (() => void) | undefined
  #stopped: Promise<boolean> | undefined
  #hasEnded = false

  constructor(deps: FoldingDeps) {
    this.#deps = deps
  }

  /** @param onScanned called with codes whose scans by persons are now in the ledger */
  start(onScanned: OnScanned = () => {}) {
    this.#onScanned = onScanned
    Atomics.store(this.#deps.state.flags, SLEEPING, 1)
  }

  /** There is something on disk, and the thread's flag says that it sleeps. */
  wake() {
    this.#order({ wake: true })
  }

  /** Folds the journals of ended processes too, and releases each when it is gone. */
  take(owned: Owned[]) {
    for (const each of owned) {
      this.#taken.set(each.id, each)
      this.#takenEver++
      this.#order({ take: { id: each.id, folder: each.folder } })
    }
  }

  /** Scans of this process's own journal that are folded, known or refused since the start. */
  get ownFolded(): number {
    return this.#counts[OWN] ?? 0
  }

  /** Waits until the journal is folded up to what is on disk now. Returns false on a timeout. */
  async flush(limitMs = CAUGHT_UP_LIMIT_MS): Promise<boolean> {
    const { positions } = this.#deps.state
    const until = Atomics.load(positions, DURABLE)
    const isFolded = () => Atomics.load(positions, FOLDED) >= until
    if (isFolded()) return true
    const ticket = ++this.#tickets
    const isNew = performance.now() - this.#begunAt < BEGINNING_MS
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs + (isNew ? BEGINNING_MS : 0))
      this.#waiting.set(ticket, () => {
        clearTimeout(limit)
        resolve()
      })
      this.#order({ ticket, until })
    })
    this.#waiting.delete(ticket)
    return isFolded()
  }

  /** Folds all that is on disk of the own journal, ends it, and returns whether that came in time. */
  stop(patienceMs: number): Promise<boolean> {
    this.#stopped ??= this.#stop(patienceMs)
    return this.#stopped
  }

  async #stop(patienceMs: number): Promise<boolean> {
    if (!this.#hasBegun) return this.#endUnused()
    const hasStopped = await new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), patienceMs)
      this.#whenStopped = () => {
        clearTimeout(limit)
        resolve(true)
      }
      this.#order({ stop: true })
    })
    this.#hasEnded = true
    clearTimeout(this.#restart)
    await this.#thread?.terminate()
    for (const tell of this.#waiting.values()) tell()
    for (const owned of this.#taken.values()) owned.release()
    return hasStopped
  }

  #endUnused(): boolean {
    this.#hasEnded = true
    try {
      removeEnded(markEnded(this.#deps.own.folder))
      return true
    } catch {
      return false
    }
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    return [
      ...counters.map(([index, name, help]) => counter(name, help, this.#counts[index] ?? 0)),
      counter(
        'journals_taken_total',
        'Journals of ended processes that this one took over',
        this.#takenEver,
      ),
      gauge(
        'journals_unreadable',
        'Journals of a newer version, which wait for that',
        this.#unreadable.size,
      ),
    ]
  }

  #order(order: FoldingOrder) {
    if (!this.#hasBegun) this.#launch()
    this.#thread?.postMessage(order)
  }

  #launch() {
    this.#hasBegun = true
    const { location, dataDir, own, state } = this.#deps
    const { id, folder } = own
    const start: FoldingStart = {
      location,
      dataDir,
      state,
      counts: this.#counts,
      own: { id, folder },
    }
    const program = this.#deps.thread ?? new URL('./folding-thread.ts', import.meta.url)
    this.#begunAt = performance.now()
    this.#thread = startThread<FoldingNews>(
      program,
      { name: 'folding', workerData: start },
      { message: (news) => this.#hear(news), end: (error) => this.#lose(error) },
    )
  }

  /** Hands on the thread's open questions to the next one. */
  #lose(error?: Error) {
    this.#thread = undefined
    if (this.#hasEnded) return
    this.#deps.log.error({ err: error }, 'the folding thread ended; another one begins')
    if (performance.now() - this.#begunAt > LIVED_MS) this.#restartMs = RESTART_MIN_MS
    this.#restart = setTimeout(() => this.#launchAgain(), this.#restartMs)
    this.#restartMs = Math.min(RESTART_MAX_MS, this.#restartMs * 2)
  }

  #launchAgain() {
    this.#launch()
    for (const { id, folder } of this.#taken.values()) this.#order({ take: { id, folder } })
    const until = Atomics.load(this.#deps.state.positions, DURABLE)
    for (const ticket of this.#waiting.keys()) this.#order({ ticket, until })
    if (this.#whenStopped) this.#order({ stop: true })
  }

  #hear(news: FoldingNews) {
    const { log } = this.#deps
    if ('reached' in news) this.#waiting.get(news.reached)?.()
    else if ('ended' in news) this.#release(news)
    else if ('failed' in news) log.error({ reason: news.failed }, 'scans wait: folding fails')
    else if ('recovered' in news) log.info('folding goes on')
    else if ('refused' in news) log.error({ scans: news.refused }, 'scans refused, set aside')
    else if ('damaged' in news) log.error(news.damaged, 'part of a journal cannot be read')
    else if ('unreadable' in news) {
      this.#unreadable.add(news.unreadable)
      log.error({ journal: news.unreadable }, 'a journal of a newer version is left alone')
    } else if ('scanned' in news) this.#onScanned(news.scanned)
    else this.#whenStopped?.()
  }

  #release({ ended, scans, ms }: Extract<FoldingNews, { ended: string }>) {
    this.#taken.get(ended)?.release()
    this.#taken.delete(ended)
    this.#deps.log.info({ journal: ended, scans, ms }, "an ended process's journal is folded")
  }
}

const counters: [number, string, string][] = [
  [FRESH, 'scans_recorded_total', 'Scans written into the ledger'],
  [REFUSED, 'scans_refused_total', 'Scans that the database will never take, set aside'],
  [FOLDS, 'fold_transactions_total', 'Transactions that brought scans into the ledger'],
  [FAILURES, 'fold_failures_total', 'Transactions that failed and were tried again'],
  [DAMAGED_BYTES, 'journal_damaged_bytes_total', 'Bytes of journals that could not be read'],
]
