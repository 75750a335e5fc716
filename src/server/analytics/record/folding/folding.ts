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
 *   const folding = foldingOf({ location, dataDir, own, state: journal.state, log })
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
export function foldingOf({ location, dataDir, own, state, log, ...deps }: FoldingDeps) {
  const { positions, flags } = state
  const counts = newFoldingCounts()
  let onScanned: OnScanned = () => {}
  const taken = new Map<string, Owned>()
  /** A reader waits until the own journal is folded up to this position, packed. */
  let wanted = 0n
  let takenEver = 0
  const unreadable = new Set<string>()
  let thread: Worker | undefined
  let hasBegun = false
  let begunAt = 0
  let restartMs = RESTART_MIN_MS
  let restart: NodeJS.Timeout | undefined
  let whenStopped: (() => void) | undefined
  let stopped: Promise<boolean> | undefined
  let hasEnded = false

  /** @param onScanned called with codes whose scans by persons are now in the ledger */
  function start(tell: OnScanned = () => {}) {
    onScanned = tell
    Atomics.store(flags, SLEEPING, 1)
  }

  /** There is something on disk, and the thread's flag says that it sleeps. */
  const wake = () => order({ wake: true })

  /** Folds the journals of ended processes too, and releases each when it is gone. */
  function take(owned: Owned[]) {
    for (const each of owned) {
      taken.set(each.id, each)
      takenEver++
      order({ take: placeOf(each) })
    }
  }

  /** Waits until the journal is folded up to what is on disk now. Returns false on a timeout. */
  async function flush(limitMs = CAUGHT_UP_LIMIT_MS): Promise<boolean> {
    const until = Atomics.load(positions, DURABLE)
    const isFolded = () => Atomics.load(positions, FOLDED) >= until
    if (isFolded()) return true
    const isNew = performance.now() - begunAt < BEGINNING_MS
    const end = performance.now() + limitMs + (isNew ? BEGINNING_MS : 0)
    wanted = until
    order({ until })
    while (!isFolded() && !hasEnded) {
      const folded = Atomics.load(positions, FOLDED)
      const left = end - performance.now()
      if (left <= 0) break
      await Atomics.waitAsync(positions, FOLDED, folded, left).value
    }
    return isFolded()
  }

  /** Folds all that is on disk of the own journal, ends it, and returns whether that came in time. */
  function stop(patienceMs: number): Promise<boolean> {
    stopped ??= endAll(patienceMs)
    return stopped
  }

  async function endAll(patienceMs: number): Promise<boolean> {
    if (!hasBegun) return endUnused()
    const hasStopped = await new Promise<boolean>((resolve) => {
      const limit = setTimeout(() => resolve(false), patienceMs)
      whenStopped = () => {
        clearTimeout(limit)
        resolve(true)
      }
      order({ stop: true })
    })
    hasEnded = true
    clearTimeout(restart)
    await thread?.terminate()
    Atomics.notify(positions, FOLDED)
    for (const owned of taken.values()) owned.release()
    return hasStopped
  }

  function endUnused(): boolean {
    hasEnded = true
    try {
      removeEnded(markEnded(own.folder))
      return true
    } catch {
      return false
    }
  }

  /** For GET /metrics. */
  function metrics(): Metric[] {
    return [
      ...counters.map(([index, name, help]) => counter(name, help, counts[index] ?? 0)),
      counter(
        'journals_taken_total',
        'Journals of ended processes that this one took over',
        takenEver,
      ),
      gauge(
        'journals_unreadable',
        'Journals of a newer version, which wait for that',
        unreadable.size,
      ),
    ]
  }

  function order(said: FoldingOrder) {
    if (!hasBegun) launch()
    thread?.postMessage(said)
  }

  function launch() {
    hasBegun = true
    const start: FoldingStart = { location, dataDir, state, counts, own: placeOf(own) }
    const program = deps.thread ?? new URL('./folding-thread.ts', import.meta.url)
    begunAt = performance.now()
    thread = startThread<FoldingNews>(
      program,
      { name: 'folding', workerData: start },
      { message: hear, end: lose },
    )
  }

  /** Hands on the thread's open questions to the next one. */
  function lose(error?: Error) {
    thread = undefined
    if (hasEnded) return
    log.error({ err: error }, 'the folding thread ended; another one begins')
    if (performance.now() - begunAt > LIVED_MS) restartMs = RESTART_MIN_MS
    restart = setTimeout(launchAgain, restartMs)
    restartMs = Math.min(RESTART_MAX_MS, restartMs * 2)
  }

  function launchAgain() {
    launch()
    for (const each of taken.values()) order({ take: placeOf(each) })
    order({ until: wanted })
    if (whenStopped) order({ stop: true })
  }

  function hear(news: FoldingNews) {
    if ('ended' in news) release(news)
    else if ('failed' in news) log.error({ reason: news.failed }, 'scans wait: folding fails')
    else if ('recovered' in news) log.info('folding goes on')
    else if ('refused' in news) log.error({ scans: news.refused }, 'scans refused, set aside')
    else if ('damaged' in news) log.error(news.damaged, 'part of a journal cannot be read')
    else if ('unreadable' in news) {
      unreadable.add(news.unreadable)
      log.error({ journal: news.unreadable }, 'a journal of a newer version is left alone')
    } else if ('scanned' in news) onScanned(news.scanned)
    else whenStopped?.()
  }

  function release({ ended, scans, ms }: Extract<FoldingNews, { ended: string }>) {
    taken.get(ended)?.release()
    taken.delete(ended)
    log.info({ journal: ended, scans, ms }, "an ended process's journal is folded")
  }

  return {
    start,
    wake,
    take,
    flush,
    stop,
    metrics,
    /** Scans of this process's own journal that are folded, known or refused since the start. */
    get ownFolded(): number {
      return counts[OWN] ?? 0
    },
  }
}

/** The part of a journal that a thread can get. */
const placeOf = ({ id, folder }: Owned) => ({ id, folder })

const counters: [number, string, string][] = [
  [FRESH, 'scans_recorded_total', 'Scans written into the ledger'],
  [REFUSED, 'scans_refused_total', 'Scans that the database will never take, set aside'],
  [FOLDS, 'fold_transactions_total', 'Transactions that brought scans into the ledger'],
  [FAILURES, 'fold_failures_total', 'Transactions that failed and were tried again'],
  [DAMAGED_BYTES, 'journal_damaged_bytes_total', 'Bytes of journals that could not be read'],
]
