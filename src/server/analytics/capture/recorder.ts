import type { FastifyBaseLogger } from 'fastify'
import type { CommitReply } from './recorder-thread.ts'
import type { Spill } from './spill.ts'

/** A redirect waits no longer than this for its scan's commit. */
const PATIENCE_MS = 50
/** Scans in one batch. */
const BATCH_MAX = 2_000
/** Batches kept in memory while the database does not answer: 200,000 scans. More go to the spill file. */
const WAITING_MAX = 100
/** Batches sent to the thread at once, so that it always has its next scans. */
const SENT_MAX = 4
const RETRY_FIRST_MS = 100
const RETRY_LAST_MS = 5_000
const STOP_PATIENCE_MS = 5_000

type Batch = { lines: string[]; waiters: (() => void)[]; patience: NodeJS.Timeout | undefined }

const newBatch = (): Batch => ({ lines: [], waiters: [], patience: undefined })

export type RecorderDeps = {
  commit: (lines: string[]) => Promise<CommitReply>
  spill: Spill
  log: FastifyBaseLogger
  /** How long a stop waits for commits */
  stopPatienceMs?: number | undefined
}

/** Counted since the start. `answeredBeforeCommit` is 0 while the disk keeps up. */
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
 * Group commit. The scans of one turn of the event loop go to the recorder's thread together, and
 * the thread puts all that it has into one transaction. Each redirect is answered when its scan is
 * on disk. While the database fails or stalls, we answer redirects at once, keep their scans here,
 * and try again.
 *
 * Invariant: a scan is in `#open`, in `#waiting` or in `#sent`, or it is committed, spilled or lost.
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
  /** The batches that the thread has, each with whether its commit succeeds. */
  readonly #sent = new Map<Batch, Promise<boolean>>()
  /** The last commit failed, or the present one takes too long. */
  #late = false
  #retryMs = RETRY_FIRST_MS
  #retry: NodeJS.Timeout | undefined
  #scheduled = false
  #stopping = false
  /** Files that we are writing; a stop waits for them. */
  readonly #writes = new Set<Promise<void>>()

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  /** The number of scans that are not yet committed. */
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
      batch.patience ??= setTimeout(() => this.#endPatience(batch), PATIENCE_MS)
    }
    if (batch.lines.length >= BATCH_MAX) this.#closeBatch()
    this.#schedule()
  }

  /** Commits what it can in time and spills the rest. Call it when no more scans come. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#retry)
    const end = Date.now() + (this.#deps.stopPatienceMs ?? STOP_PATIENCE_MS)
    while (this.backlog > 0 && (await this.#commitBefore(end))) {
      // Each round is one batch.
    }
    await this.#spillAll()
    await Promise.all(this.#writes)
  }

  /**
   * Waits for the batches that the thread has, or sends one. Answers whether to go on: a batch that
   * was sent before the stop may fail, and the next round then sends it once more.
   */
  async #commitBefore(end: number): Promise<boolean> {
    const wereSent = this.#sent.size > 0
    const commits = Promise.all(wereSent ? this.#sent.values() : [this.#send()])
    const limit = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), end - Date.now()).unref()
    })
    const succeeded = await Promise.race([commits.then((each) => each.every(Boolean)), limit])
    return succeeded || (wereSent && Date.now() < end)
  }

  /** A batch that the thread has may still succeed: the ids of its scans prevent double counts. */
  async #spillAll() {
    const left = this.#all()
    this.#waiting.length = 0
    this.#open = newBatch()
    for (const batch of left) this.#release(batch, true)
    await this.#spill(left.flatMap((batch) => batch.lines))
  }

  #all(): Batch[] {
    return [...this.#sent.keys(), ...this.#waiting, this.#open]
  }

  /** While commits fail or stall, the thread gets one batch at a time. */
  #maySend(): boolean {
    if (this.#retry || this.#stopping) return false
    return this.#sent.size < (this.#late ? 1 : SENT_MAX)
  }

  #schedule() {
    if (this.#scheduled || !this.#maySend()) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#sendNext()
    })
  }

  #sendNext() {
    if (this.#maySend() && (this.#open.lines.length > 0 || this.#waiting.length > 0)) {
      void this.#send()
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

  /** Sends the oldest batch to the thread; answers whether its commit succeeded. */
  #send(): Promise<boolean> {
    if (this.#waiting.length === 0) this.#closeBatch()
    const batch = this.#waiting.shift() as Batch
    const commit = this.#deps.commit(batch.lines).then((reply) => {
      this.#sent.delete(batch)
      return reply.ok ? this.#succeeded(batch, reply) : this.#failed(batch, reply.message)
    })
    this.#sent.set(batch, commit)
    return commit
  }

  #succeeded(batch: Batch, { refused, commits }: CommitReply & { ok: true }): boolean {
    this.counts.commits += commits
    this.counts.recorded += batch.lines.length - refused.length
    // As long as there is a backlog, a new scan would have to wait for all of it.
    if (this.#late && this.#waiting.length === 0) this.#recover()
    // The thread gets its next batch first, so that it works while these answers go out.
    this.#sendNext()
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
    // The batches of one transaction fail together, and count as one failure with one retry.
    if (this.#stopping || this.#retry) return false
    this.counts.failedCommits++
    this.#deps.log.error({ reason: message, scans: batch.lines.length }, 'scans not committed yet')
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#sendNext()
    }, this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_LAST_MS)
    return false
  }

  /** This thread may have been busy: it first hears the replies that have arrived. */
  #endPatience(batch: Batch) {
    batch.patience = undefined
    setImmediate(() => {
      if (batch.waiters.length > 0) this.#stopWaiting(batch)
    })
  }

  #stopWaiting(batch: Batch) {
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

  /** If one redirect cannot be answered, the others must still go out. */
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
