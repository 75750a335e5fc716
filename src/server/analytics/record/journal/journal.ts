import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import type { ClassifiedVisit } from '../../types.ts'
import type { Group, Release } from './group.ts'
import { Groups, type Sizes, sharedMemory } from './groups.ts'
import { BEGINNING, packed, SEGMENT_BYTES, unpacked } from './layout.ts'
import {
  DURABLE,
  FOLDED,
  FOLDED_AT,
  type JournalState,
  newJournalState,
  SLEEPING,
  TAKEN_OVER_AT,
  TAKEN_OVER_BYTES,
} from './shared-memory.ts'
import { ThreadWriter, type Writer, Writes } from './writer.ts'

/*
 * How to use it:
 *
 *   const own = claimNew(dataDir, processId)              // ownership.ts: a folder that is locked
 *   const journal = await Journal.open({ folder: own.folder, maxBytes, log, wake })
 *   journal.record(codeId, visit, at, answer)              // `answer` is called once
 *
 * The folding thread gets `journal.state`, and sets its SLEEPING flag before it waits; `wake` is
 * called when there is something to fold and the flag was set. At a stop: `flush`, then the folding
 * thread folds all and ends the journal (journal-directory.ts), then `close`, then `own.release()`.
 */

const SAY_EVERY_MS = MINUTE_MS

export type JournalOptions = Sizes & {
  /** Exists, and belongs to this process. */
  folder: string
  /** If more bytes than these are not folded, scans are lost. */
  maxBytes: number
  log: FastifyBaseLogger
  /** How long a redirect waits for a write; 50 ms */
  patienceMs?: number | undefined
  /** There is something to fold, and the folding thread sleeps. */
  wake?: (() => void) | undefined
}

/** Counted since the start, in scans but for `writes` and `failedWrites`. */
export type JournalCounts = {
  written: number
  writes: number
  failedWrites: number
  /** Redirects that went out before their scan was on disk: 0 while the disk keeps up. */
  answeredEarly: number
  /** Scans that had no place: the disk does not write, or nothing is folded. */
  lost: number
}

/**
 * Where redirects put their scans: the memory of this turn, one write for all that has come, then the
 * answers. Scans that come during a write are in the next one. A disk that does not write delays no redirect.
 *
 * Invariant: a scan is in one of the groups, or it is written, or it is lost; and each redirect is
 * answered once.
 */
export class Journal {
  readonly counts: JournalCounts = {
    written: 0,
    writes: 0,
    failedWrites: 0,
    answeredEarly: 0,
    lost: 0,
  }
  readonly state: JournalState = newJournalState(packed(BEGINNING))
  readonly #options: Omit<JournalOptions, 'folder'>
  readonly #writer: Writer
  readonly #writes: Writes
  readonly #groups: Groups
  /** The instant of the first scan since all was folded */
  #since = 0
  #isScheduled = false
  #isClosed = false
  #saidLossAt = Number.NEGATIVE_INFINITY
  #whenWritten: (() => void)[] = []

  /** Opens a new journal; resolves when its thread is ready to write. */
  static async open(options: JournalOptions): Promise<Journal> {
    const { folder, segmentBytes = SEGMENT_BYTES } = options
    const memory = sharedMemory(options)
    const writer = new ThreadWriter({ folder, memory, segmentBytes })
    await writer.warm()
    return new Journal(options, memory, writer)
  }

  /** @param memory as `sharedMemory` makes it for these options; `writer` writes from there */
  constructor(options: Omit<JournalOptions, 'folder'>, memory: SharedArrayBuffer, writer: Writer) {
    const { log, patienceMs } = options
    this.#options = options
    this.#groups = new Groups(memory, options)
    this.#writer = writer
    this.#writes = new Writes({
      writer,
      log,
      patienceMs,
      groups: this.#groups,
      written: (group) => this.#written(group),
      failed: () => {
        this.counts.failedWrites++
      },
      late: () => this.#answerEarly(),
    })
  }

  /** Whether redirects go out before their scans are on disk. */
  get isLate(): boolean {
    return this.#writes.isLate
  }

  /** Scans that are not on disk. */
  get waiting(): number {
    return this.#groups.all().reduce((sum, group) => sum + group.scans, 0)
  }

  /** Bytes that are not folded, of this journal and of those that were taken over. */
  get bytes(): number {
    const { end, segmentBytes } = this.#groups
    const folded = unpacked(this.#folded)
    const own = (end.segment - folded.segment) * segmentBytes + end.offset - folded.offset
    return own + Number(Atomics.load(this.state.positions, TAKEN_OVER_BYTES))
  }

  /** All scans before this instant, in epoch ms, are folded; undefined if all scans are. */
  get oldestAt(): number | undefined {
    const { end, open } = this.#groups
    const takenOver = Number(Atomics.load(this.state.positions, TAKEN_OVER_AT)) || undefined
    if (packed(end) <= this.#folded && !open?.scans) return takenOver
    const own = Math.max(this.#since, Number(Atomics.load(this.state.positions, FOLDED_AT)))
    return takenOver === undefined ? own : Math.min(own, takenOver)
  }

  /** Takes a scan at the instant `at`, in epoch ms; `answer` is called once, when the redirect may go out. */
  record(codeId: string, visit: ClassifiedVisit, at: number, answer: Release): void {
    const open = this.#groups.open
    const group = open?.hasRoom ? open : this.#nextGroup(at)
    if (!group) {
      this.#lose(answer)
      return
    }
    group.add(codeId, visit, at, this.#groups.numbers)
    if (this.#writes.isLate) {
      this.counts.answeredEarly++
      this.#answer(answer)
    } else group.keep(answer)
    if (!this.#isScheduled && !this.#writes.isBusy) this.#schedule()
  }

  /** Writes what there is; returns whether that was done in time. */
  async flush(patienceMs: number): Promise<boolean> {
    this.#writes.hurry()
    if (this.waiting === 0) return true
    return new Promise((resolve) => {
      const limit = setTimeout(() => resolve(false), patienceMs)
      this.#whenWritten.push(() => {
        clearTimeout(limit)
        resolve(true)
      })
    })
  }

  /** Call it after `flush`: what is not on disk then is lost and counted. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#writes.stop()
    this.#groups.closeOpen()
    this.#answerEarly()
    const left = this.waiting
    this.counts.lost += left
    if (left > 0) {
      this.#options.log.error({ scans: left }, 'scans lost: the journal could not be written')
    }
    await this.#writer.close()
  }

  get #folded(): bigint {
    return Atomics.load(this.state.positions, FOLDED)
  }

  #schedule() {
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#writes.start()
    })
  }

  #nextGroup(at: number): Group | undefined {
    this.#groups.closeOpen()
    if (this.#isClosed || this.bytes >= this.#options.maxBytes) return undefined
    const group = this.#groups.begin()
    if (packed(this.#groups.end) <= this.#folded) this.#since = at
    return group
  }

  #written(group: Group) {
    this.counts.writes++
    this.counts.written += group.scans
    // It was counted as lost, and has come to disk after all.
    if (this.#isClosed) this.counts.lost -= group.scans
    const { positions, flags } = this.state
    Atomics.store(positions, DURABLE, packed(group.end))
    group.answerAll((answer) => this.#answer(answer))
    this.#groups.free(group)
    if (Atomics.compareExchange(flags, SLEEPING, 1, 0) === 1) this.#options.wake?.()
    if (this.#whenWritten.length > 0 && this.waiting === 0) {
      for (const tell of this.#whenWritten.splice(0)) tell()
    }
  }

  #answerEarly() {
    for (const group of this.#groups.all()) {
      this.counts.answeredEarly += group.answerAll((answer) => this.#answer(answer))
    }
  }

  /** The oldest scans are kept; this one is counted. */
  #lose(answer: Release) {
    this.counts.lost++
    if (Date.now() - this.#saidLossAt >= SAY_EVERY_MS) {
      this.#saidLossAt = Date.now()
      this.#options.log.error({ bytes: this.bytes }, 'the journal is full: scans are lost')
    }
    this.#answer(answer)
  }

  /** If one redirect cannot be answered, the others must still go out. */
  #answer(answer: Release) {
    try {
      answer()
    } catch (error) {
      this.#options.log.error({ err: error }, 'redirect not answered')
    }
  }
}
