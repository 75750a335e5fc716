import { MINUTE_MS } from '#contract/time.ts'
import type { Location } from '../../database/connect.ts'
import { AppError } from '../../http/errors.ts'
import { queues } from '../../http/limits/limits.ts'
import type { Metric } from '../../http/metrics.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { WorkThreads } from '../../threads/work-threads.ts'
import type { CountAnswer, CountTask, Question } from './count-task.ts'

const THREAD = new URL('./counting-thread.ts', import.meta.url)
const TASK_MS = 30_000
/** It keeps what it has decoded as long as it lives. */
const IDLE_MS = 5 * MINUTE_MS
/** What it decodes lies outside of this. */
const MEMORY = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 }

/** What a task asks, apart from where. */
export type CountOrder<Ask extends Question['ask']> = Omit<CountTask, 'location' | 'question'> & {
  question: Extract<Question, { ask: Ask }>
}

/**
 * Counts scans in a thread of its own, one task at a time, so that no figure holds up a redirect. A
 * thread that dies or hangs fails its task, and the next task starts another one.
 */
export class Counter {
  readonly #location: Location
  readonly #turns = new FairQueue(queues.figures)
  readonly #threads: WorkThreads<CountTask, CountAnswer>
  #isStopped = false

  constructor(location: Location, { thread = THREAD, taskMs = TASK_MS } = {}) {
    this.#location = location
    this.#threads = new WorkThreads({ thread, taskMs, idleMs: IDLE_MS, memory: MEMORY })
  }

  /**
   * @param signal drops the task when it is aborted before its turn
   * @param owner who takes turns with the others
   * @throws AppError range_too_long where it would have to read too many scans, rate_limited or busy
   * where too many wait; ThreadLost where the thread is lost
   */
  async count<Ask extends Question['ask']>(
    order: CountOrder<Ask>,
    signal?: AbortSignal,
    owner = order.userId,
  ): Promise<CountAnswer<Ask>> {
    const task = { ...order, location: this.#location } as CountTask
    const work = async () => {
      if (this.#isStopped) throw new AppError('unavailable')
      return this.#threads.perform(task)
    }
    const answer = this.#turns.run(owner, work, signal)
    return answer.catch((error) => {
      throw error.name === 'RangeTooLong' ? new AppError('range_too_long') : error
    }) as Promise<CountAnswer<Ask>>
  }

  /** Starts the thread, for questions that are soon to come. */
  prepare() {
    if (!this.#isStopped) this.#threads.prepare(1)
  }

  /** Ends the thread, and starts none again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#threads.end()
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    return this.#turns.metrics('figures', 'Figures')
  }
}
