import { MINUTE_MS } from '#contract/time.ts'
import type { Location } from '../../database/connect.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import type { Metric } from '../../http/metrics.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { WorkThreads } from '../../work-threads.ts'
import type { Count, Counted, Question, Selection } from '../store/scans-store.ts'

const THREAD = new URL('./counting-thread.ts', import.meta.url)
const TASK_MS = 30_000
/** It keeps what it has decoded as long as it lives. */
const IDLE_MS = 5 * MINUTE_MS
/** Decoded scans lie outside of this. */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

/** To the thread. @throws ThreadLost */
export type CountTask = { location: Location; scans: Selection; question: Question }
export type CountAnswer = Counted[Question['ask']]

/** Work that asks for counts, in its owner's turn. */
export type InCounterTurn = <T>(
  owner: string,
  work: (count: Count) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>

/**
 * Counts scans in a thread of its own, one task at a time, so that no figure holds up a redirect. A
 * thread that dies or hangs fails its task, and the next task starts another one.
 */
export class Counter {
  readonly #location: Location
  readonly #queue = new FairQueue(queues.figures)
  readonly #threads: WorkThreads<CountTask, CountAnswer | undefined>
  #isStopped = false

  constructor(location: Location, { thread = THREAD, taskMs = TASK_MS } = {}) {
    this.#location = location
    this.#threads = new WorkThreads({ thread, taskMs, idleMs: IDLE_MS, memory: MEMORY })
  }

  /**
   * Does work that counts scans when its owner's turn comes.
   * @param signal drops the work if it is aborted before its turn
   * @throws AppError rate_limited or busy if too many wait, unavailable once the counter is stopped
   */
  run: InCounterTurn = (owner, work, signal) =>
    this.#queue.run(
      owner,
      async () => {
        if (this.#isStopped) throw new AppError('unavailable')
        return work(this.#count)
      },
      signal,
    )

  readonly #count = ((scans, question) =>
    this.#threads.perform({ location: this.#location, scans, question })) as Count

  /** Starts the thread, for questions that are soon to come. */
  warmUp() {
    if (!this.#isStopped) this.#threads.prepare(1)
  }

  /** Ends the thread, and starts none again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#threads.end()
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    return this.#queue.metrics('figures', 'Figures')
  }
}

/** @throws AppError range_too_long without an answer */
export function orTooLong<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new AppError('range_too_long')
  return answer
}
