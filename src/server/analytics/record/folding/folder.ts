import type { Folded, ScansInbox } from '../../store/scans-store.ts'
import { BEGINNING, packed, unpacked } from '../journal/layout.ts'
import {
  DURABLE,
  FOLDED,
  FOLDED_AT,
  type JournalState,
  SLEEPING,
  TAKEN_OVER_AT,
  TAKEN_OVER_BYTES,
} from '../journal/shared-memory.ts'
import { FOLDS, type FoldingNews, FRESH, OWN, REFUSED } from './folding-messages.ts'
import type { JournalFold } from './journal-fold.ts'
import { UnreadableJournal } from './journal-reader.ts'
import { type Done, paceOf, Retries } from './pace.ts'

export type FolderDeps = {
  ledger: ScansInbox
  own: JournalFold
  state: JournalState
  /** As folding-messages.ts names them. */
  counts: Float64Array
  tell: (news: FoldingNews) => void
}

const NEVER = Number.POSITIVE_INFINITY

/**
 * Folds this process's journal up to what is on disk, and what earlier processes left in turns with
 * it. It sleeps when nothing is left, until `wake`.
 *
 * Invariant: either a turn is under way, or the timer runs, or it sleeps.
 */
export function folderOf({ ledger, own, state, counts, tell }: FolderDeps) {
  const { positions, flags } = state
  const { nextScansMax, pauseAfter, pauseForReader, pauseInTakeOver } = paceOf(ledger.batches)
  const ownRetries = new Retries({ counts, tell })
  const backlogRetries = new Retries({ counts, tell })
  const backlog: JournalFold[] = []
  /** A reader waits until the own journal is folded up to this position, packed. */
  let wanted = 0n
  let scansMax = nextScansMax({ scans: 0, ms: 0 })
  let last: Done = { scans: 0, ms: 0 }
  let lastEnd = 0
  let isWorking = false
  let isStopping = false
  let hasStopped = false
  let timer: NodeJS.Timeout | undefined

  /** There may be something to fold. */
  function wake() {
    if (!isWorking && !timer) schedule(0)
  }

  function take(journal: JournalFold) {
    backlog.push(journal)
    countBacklog()
    wake()
  }

  /** Folds the own journal up to `until` soon. */
  function catchUp(until: bigint) {
    if (until > wanted) wanted = until
    if (!isWaitedFor() || isWorking) return
    const begins = timer ? lastEnd + pauseForReader(last) : 0
    schedule(begins - performance.now())
  }

  /** Folds all that is on disk of the own journal, and ends it. */
  function stop() {
    isStopping = true
    if (!isWorking) schedule(0)
  }

  function schedule(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(() => void work(), Math.max(0, ms))
  }

  async function work() {
    timer = undefined
    isWorking = true
    Atomics.store(flags, SLEEPING, 0)
    const durable = Atomics.load(positions, DURABLE)
    const untilOwn = await ownRetries.attempt(() => foldOwn(durable))
    const untilBacklog = await backlogRetries.attempt(() => foldBacklog())
    isWorking = false
    if (hasStopped) return
    const pause = Math.min(untilOwn, untilBacklog)
    if (pause !== NEVER) schedule(pause)
    else sleep(durable)
  }

  /** It says so first and looks again, so that nothing is overlooked. */
  function sleep(looked: bigint) {
    Atomics.store(flags, SLEEPING, 1)
    if (Atomics.load(positions, DURABLE) !== looked || isStopping) schedule(0)
  }

  /** Returns the milliseconds until the next turn. */
  async function foldOwn(durable: bigint): Promise<number> {
    const isFolded = () => Atomics.load(positions, FOLDED) >= durable
    if (!isFolded()) {
      const begun = performance.now()
      const folded = await own.step(scansMax, unpacked(durable))
      Atomics.store(positions, FOLDED_AT, BigInt(own.foldedAt))
      // A reader of the position may ask at once for the number of scans.
      if (folded) note(folded, begun)
      Atomics.store(positions, FOLDED, packed(own.folded ?? BEGINNING))
      Atomics.notify(positions, FOLDED)
      if (!folded) return NEVER
    } else if (!isStopping) return NEVER
    if (!isStopping) return pause(!isFolded())
    // A stop may come during the fold, and so may scans before it.
    if (Atomics.load(positions, FOLDED) >= Atomics.load(positions, DURABLE)) await end()
    return 0
  }

  function note(folded: Folded, begun: number) {
    count(folded)
    lastEnd = performance.now()
    const scans = folded.fresh + folded.known + folded.refused
    add(OWN, scans)
    last = { scans, ms: lastEnd - begun }
    scansMax = nextScansMax(last, scansMax)
  }

  function pause(isBehind: boolean): number {
    const pause = pauseAfter(last, isBehind)
    return isWaitedFor() ? Math.min(pause, pauseForReader(last)) : pause
  }

  async function foldBacklog(): Promise<number> {
    const first = isStopping ? undefined : backlog.shift()
    if (!first) return NEVER
    const begun = performance.now()
    try {
      const folded = await first.step(scansMax)
      if (folded) backlog.unshift(first)
      if (folded) count(folded)
      else tell(await first.end())
    } catch (error) {
      // The others need not wait for one whose disk fails.
      if (!(error instanceof UnreadableJournal)) {
        backlog.push(first)
        countBacklog()
        throw error
      }
      first.close()
      tell({ unreadable: first.place.id })
    }
    countBacklog()
    return pauseInTakeOver(performance.now() - begun)
  }

  function count({ fresh, refused }: Folded) {
    add(FRESH, fresh)
    add(REFUSED, refused)
    add(FOLDS, 1)
    if (refused > 0) tell({ refused })
  }

  function add(index: number, scans: number) {
    counts[index] = (counts[index] ?? 0) + scans
  }

  function countBacklog() {
    const bytes = backlog.reduce((sum, each) => sum + each.bytes, 0)
    Atomics.store(positions, TAKEN_OVER_BYTES, BigInt(bytes))
    const instants = backlog
      .map(({ waitingSince }) => waitingSince)
      .filter((at) => at !== undefined)
    Atomics.store(positions, TAKEN_OVER_AT, BigInt(instants.length > 0 ? Math.min(...instants) : 0))
  }

  const isWaitedFor = () => wanted > Atomics.load(positions, FOLDED)

  async function end() {
    hasStopped = true
    for (const each of backlog) each.close()
    await own.end({ mayKeepRow: true })
    ledger.close()
    tell({ stopped: true })
  }

  return { wake, take, catchUp, stop }
}
