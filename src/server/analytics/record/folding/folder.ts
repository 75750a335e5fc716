import type { Folded, ScansInbox } from '../../store/scans-store.ts'
import { markEnded, removeEnded } from '../journal/journal-directory.ts'
import { BEGINNING, packed, unpacked } from '../journal/layout.ts'
import {
  DURABLE,
  FOLDED,
  FOLDED_AT,
  type JournalState,
  SLEEPING,
  TAKEN_OVER_BYTES,
} from '../journal/shared-memory.ts'
import { FOLDS, type FoldingNews, FRESH, OWN, REFUSED } from './folding-messages.ts'
import type { JournalFold, TakenJournal } from './journal-fold.ts'
import {
  type Done,
  nextScansMax,
  pauseAfter,
  pauseForReader,
  pauseInTakeOver,
  Retries,
} from './pace.ts'

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
export class Folder {
  readonly #deps: FolderDeps
  readonly #ownRetries: Retries
  readonly #backlogRetries: Retries
  readonly #backlog: TakenJournal[] = []
  /** The calls that wait until the own journal is folded up to a position, packed. */
  #waiting: { ticket: number; until: bigint }[] = []
  #scansMax = nextScansMax({ scans: 0, ms: 0 })
  #last: Done = { scans: 0, ms: 0 }
  #lastEnd = 0
  #isWorking = false
  #isStopping = false
  #hasStopped = false
  #timer: NodeJS.Timeout | undefined

  constructor(deps: FolderDeps) {
    this.#deps = deps
    this.#ownRetries = new Retries(deps)
    this.#backlogRetries = new Retries(deps)
  }

  /** There may be something to fold. */
  wake() {
    if (!this.#isWorking && !this.#timer) this.#schedule(0)
  }

  take(journal: TakenJournal) {
    this.#backlog.push(journal)
    this.#countBacklog()
    this.wake()
  }

  /** Tells when the own journal is folded up to `until`, and does it soon. */
  catchUp(ticket: number, until: bigint) {
    this.#waiting.push({ ticket, until })
    this.#tellReached()
    if (this.#waiting.length === 0 || this.#isWorking) return
    const begins = this.#timer ? this.#lastEnd + pauseForReader(this.#last) : 0
    this.#schedule(begins - performance.now())
  }

  /** Folds all that is on disk of the own journal, and ends it. */
  stop() {
    this.#isStopping = true
    if (!this.#isWorking) this.#schedule(0)
  }

  #schedule(ms: number) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#work(), Math.max(0, ms))
  }

  async #work() {
    this.#timer = undefined
    this.#isWorking = true
    const { positions, flags } = this.#deps.state
    Atomics.store(flags, SLEEPING, 0)
    const durable = Atomics.load(positions, DURABLE)
    const untilOwn = await this.#ownRetries.attempt(() => this.#foldOwn(durable))
    const untilBacklog = await this.#backlogRetries.attempt(() => this.#foldBacklog())
    this.#isWorking = false
    if (this.#hasStopped) return
    const pause = Math.min(untilOwn, untilBacklog)
    if (pause !== NEVER) this.#schedule(pause)
    else this.#sleep(durable)
  }

  /** It says so first and looks again, so that nothing is overlooked. */
  #sleep(looked: bigint) {
    const { positions, flags } = this.#deps.state
    Atomics.store(flags, SLEEPING, 1)
    if (Atomics.load(positions, DURABLE) !== looked || this.#isStopping) this.#schedule(0)
  }

  /** Returns the milliseconds until the next turn. */
  async #foldOwn(durable: bigint): Promise<number> {
    const { own, state } = this.#deps
    const isFolded = () => Atomics.load(state.positions, FOLDED) >= durable
    if (!isFolded()) {
      const begun = performance.now()
      const folded = await own.step(this.#scansMax, unpacked(durable))
      Atomics.store(state.positions, FOLDED_AT, BigInt(own.foldedAt))
      // A reader of the position may ask at once for the number of scans.
      if (folded) this.#note(folded, begun)
      Atomics.store(state.positions, FOLDED, packed(own.folded ?? BEGINNING))
      this.#tellReached()
      if (!folded) return NEVER
    } else if (!this.#isStopping) return NEVER
    if (!this.#isStopping) return this.#pause(!isFolded())
    // A stop may come during the fold, and so may scans before it.
    if (Atomics.load(state.positions, FOLDED) >= Atomics.load(state.positions, DURABLE)) {
      await this.#end()
    }
    return 0
  }

  #note(folded: Folded, begun: number) {
    this.#count(folded)
    this.#lastEnd = performance.now()
    const scans = folded.fresh + folded.known + folded.refused
    this.#add(OWN, scans)
    this.#last = { scans, ms: this.#lastEnd - begun }
    this.#scansMax = nextScansMax(this.#last, this.#scansMax)
  }

  #pause(isBehind: boolean): number {
    const pause = pauseAfter(this.#last, isBehind)
    return this.#waiting.length > 0 ? Math.min(pause, pauseForReader(this.#last)) : pause
  }

  async #foldBacklog(): Promise<number> {
    const first = this.#isStopping ? undefined : this.#backlog.shift()
    if (!first) return NEVER
    const begun = performance.now()
    try {
      const folded = await first.step(this.#scansMax)
      if (folded) this.#backlog.unshift(first)
      if (folded) this.#count(folded)
      else this.#deps.tell(await first.end())
    } catch (error) {
      // The others need not wait for one whose disk fails.
      this.#backlog.push(first)
      throw error
    }
    this.#countBacklog()
    return pauseInTakeOver(performance.now() - begun)
  }

  #count({ fresh, refused }: Folded) {
    this.#add(FRESH, fresh)
    this.#add(REFUSED, refused)
    this.#add(FOLDS, 1)
    if (refused > 0) this.#deps.tell({ refused })
  }

  #add(index: number, scans: number) {
    const { counts } = this.#deps
    counts[index] = (counts[index] ?? 0) + scans
  }

  #countBacklog() {
    const bytes = this.#backlog.reduce((sum, each) => sum + each.bytes, 0)
    Atomics.store(this.#deps.state.positions, TAKEN_OVER_BYTES, BigInt(bytes))
  }

  #tellReached() {
    const folded = Atomics.load(this.#deps.state.positions, FOLDED)
    for (const { ticket, until } of this.#waiting) {
      if (until <= folded) this.#deps.tell({ reached: ticket })
    }
    this.#waiting = this.#waiting.filter(({ until }) => until > folded)
  }

  async #end() {
    const { own, ledger, tell } = this.#deps
    this.#hasStopped = true
    own.close()
    for (const each of this.#backlog) each.close()
    const ended = markEnded(own.place.folder)
    // If the database does not forget the position now, it keeps a row without a reader.
    if (own.folded) await ledger.end(own.place.id).catch(() => {})
    removeEnded(ended)
    ledger.close()
    tell({ stopped: true })
  }
}
