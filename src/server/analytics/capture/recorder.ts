import type { FastifyBaseLogger } from 'fastify'
import type { CommitReply } from './recorder-thread.ts'
import type { Spill } from './spill.ts'

/** A redirect waits no longer than this for its scan's commit. */
const PATIENCE_MS = 50
/** Scans in one transaction at most, so that a backlog is worked off in bounded steps. */
const BATCH_MAX = 2_000
/** Batches kept in memory while the database does not answer: 200,000 scans; more goes to the spill file. */
const WAITING_MAX = 100
/** Batches under way at once: the thread always has its next scans, and commits together what has come. */
const FLYING_MAX = 4
const RETRY_FIRST_MS = 100
const RETRY_LAST_MS = 5_000
const STOP_PATIENCE_MS = 5_000

type Batch = { lines: string[]; waiters: (() => void)[]; patience: NodeJS.Timeout | undefined }

const newBatch = (): Batch => ({ lines: [], waiters: [], patience: undefined })

export type RecorderDeps = {
  commit: (lines: string[]) => Promise<CommitReply>
  spill: Spill
  log: FastifyBaseLogger
}

/** What has happened since the start; `answeredBeforeCommit` is 0 while the disk keeps up. */
export type RecorderCounts = {
  recorded: number
  commits: number
  failedCommits: number
  answeredBeforeCommit: number
  spilled: number
  refused: number
  lost: number
}

/**
 * Group commit. Scans of one turn of the event loop travel to the recorder's thread together, and
 * all that lies there when a commit ends goes into the next transaction; each redirect is answered when its scan is on disk. While the database
 * fails or stalls, redirects are answered at once and their scans wait here and are tried again.
 *
 * Invariant: a scan is in `#open`, in `#waiting` or in `#flying`, or it is committed, spilled or lost.
 */
export class Recorder {
  readonly #deps: RecorderDeps
  readonly counts: RecorderCounts = {
    recorded: 0,
    commits: 0,
    failedCommits: 0,
    answeredBeforeCommit: 0,
    spilled: 0,
    refused: 0,
    lost: 0,
  }
  #open = newBatch()
  readonly #waiting: Batch[] = []
  readonly #flying = new Map<Batch, Promise<boolean>>()
  /** The commit under way has been awaited too long, or the last one failed. */
  #late = false
  #retryMs = RETRY_FIRST_MS
  #retry: NodeJS.Timeout | undefined
  #scheduled = false
  #stopping = false
  /** Files being written, which a stop waits for. */
  readonly #writes = new Set<Promise<void>>()

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  /** Scans that are not yet committed. */
  get backlog(): number {
    return this.#all().reduce((sum, batch) => sum + batch.lines.length, 0)
  }

  /** Takes a scan's line; `answer` is called once, when the redirect may go out. */
  record(line: string, answer: () => void): void {
    const batch = this.#open
    batch.lines.push(line)
    if (this.#late) {
      this.counts.answeredBeforeCommit++
      this.#answer(answer)
    } else {
      batch.waiters.push(answer)
      batch.patience ??= setTimeout(() => this.#askOnce(batch), PATIENCE_MS)
    }
    if (batch.lines.length >= BATCH_MAX) this.#closeBatch()
    this.#schedule()
  }

  /** Commits what is there, and spills what cannot be committed in time. Call when no more scans come. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#retry)
    const end = Date.now() + STOP_PATIENCE_MS
    while (this.backlog > 0 && (await this.#landsBy(end))) {
      // Each round is one batch.
    }
    await this.#spillAll()
    await Promise.all(this.#writes)
  }

  /** Whether there is hope after one more flight: one from before the stop may fail without taking it. */
  async #landsBy(end: number): Promise<boolean> {
    const isUnderWay = this.#flying.size > 0
    const flights = isUnderWay ? [...this.#flying.values()] : [this.#fly()]
    const flight = Promise.all(flights).then((landed) => landed.every(Boolean))
    const limit = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), end - Date.now()).unref()
    })
    const hasLanded = await Promise.race([flight, limit])
    return hasLanded || (isUnderWay && Date.now() < end)
  }

  /** A batch in flight may yet land: its scans' ids keep them from being counted twice. */
  async #spillAll() {
    const left = this.#all()
    this.#waiting.length = 0
    this.#open = newBatch()
    for (const batch of left) this.#release(batch, true)
    await this.#spill(left.flatMap((batch) => batch.lines))
  }

  #all(): Batch[] {
    return [...this.#flying.keys(), ...this.#waiting, this.#open]
  }

  /** While commits fail or stall there is one attempt at a time. */
  #mayFly(): boolean {
    if (this.#retry || this.#stopping) return false
    return this.#flying.size < (this.#late ? 1 : FLYING_MAX)
  }

  #schedule() {
    if (this.#scheduled || !this.#mayFly()) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#flyOn()
    })
  }

  #flyOn() {
    if (this.#mayFly() && (this.#open.lines.length > 0 || this.#waiting.length > 0)) {
      void this.#fly()
    }
  }

  #closeBatch() {
    this.#waiting.push(this.#open)
    this.#open = newBatch()
    if (this.#waiting.length <= WAITING_MAX) return
    const batch = this.#waiting.pop() as Batch
    this.#release(batch, true)
    this.#write(this.#spill(batch.lines))
  }

  #write(writing: Promise<void>) {
    this.#writes.add(writing)
    void writing.then(() => this.#writes.delete(writing))
  }

  /** Commits the next batch; answers whether that went well. */
  #fly(): Promise<boolean> {
    if (this.#waiting.length === 0) this.#closeBatch()
    const batch = this.#waiting.shift() as Batch
    const flight = this.#deps.commit(batch.lines).then((reply) => {
      this.#flying.delete(batch)
      return reply.ok ? this.#landed(batch, reply) : this.#failed(batch, reply.message)
    })
    this.#flying.set(batch, flight)
    return flight
  }

  #landed(batch: Batch, { refused, commits }: CommitReply & { ok: true }): boolean {
    this.counts.commits += commits
    this.counts.recorded += batch.lines.length - refused.length
    // While a backlog is worked off, a new scan would wait behind all of it.
    if (this.#late && this.#waiting.length === 0) this.#recover()
    // The thread gets its next batch first, so that it works while these answers go out.
    this.#flyOn()
    this.#release(batch, false)
    if (refused.length > 0) this.#write(this.#keepRefused(refused))
    return true
  }

  #recover() {
    this.#late = false
    this.#retryMs = RETRY_FIRST_MS
    this.#deps.log.info({ backlog: this.backlog }, 'scans are being committed again')
  }

  #failed(batch: Batch, message: string): boolean {
    this.#late = true
    for (const each of [batch, ...this.#all()]) this.#release(each, true)
    this.#waiting.unshift(batch)
    // Batches of one transaction fail together: that is one failure and one retry.
    if (this.#stopping || this.#retry) return false
    this.counts.failedCommits++
    this.#deps.log.error({ reason: message, scans: batch.lines.length }, 'scans not committed yet')
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#flyOn()
    }, this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_LAST_MS)
    return false
  }

  /** The time may have gone by in this thread: word of the commit that lies here already is heard first. */
  #askOnce(batch: Batch) {
    batch.patience = undefined
    setImmediate(() => {
      if (batch.waiters.length > 0) this.#runOutOfPatience(batch)
    })
  }

  #runOutOfPatience(batch: Batch) {
    this.#late = true
    this.#deps.log.warn({ scans: batch.waiters.length }, 'a commit takes long; redirects go out')
    for (const each of [batch, ...this.#all()]) this.#release(each, true)
  }

  /** Lets a batch's redirects go out. */
  #release(batch: Batch, early: boolean) {
    clearTimeout(batch.patience)
    batch.patience = undefined
    const { waiters } = batch
    if (waiters.length === 0) return
    if (early) this.counts.answeredBeforeCommit += waiters.length
    batch.waiters = []
    for (const answer of waiters) this.#answer(answer)
  }

  /** One redirect that cannot be answered must not keep the others waiting. */
  #answer(answer: () => void) {
    try {
      answer()
    } catch (error) {
      this.#deps.log.error({ err: error }, 'redirect not answered')
    }
  }

  async #spill(lines: string[]) {
    try {
      await this.#deps.spill.write(lines)
      this.counts.spilled += lines.length
    } catch (error) {
      this.counts.lost += lines.length
      this.#deps.log.error({ err: error, scans: lines.length }, 'scans could not be spilled')
    }
  }

  async #keepRefused(lines: string[]) {
    this.counts.refused += lines.length
    this.#deps.log.error({ scans: lines.length }, 'scans that the database refuses are set aside')
    await this.#deps.spill.keepRefused(lines).catch((error) => {
      this.counts.lost += lines.length
      this.#deps.log.error({ err: error }, 'refused scans could not be set aside')
    })
  }
}
