import type { FastifyRequest } from 'fastify'
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

export type Counter = ReturnType<typeof openCounter>

/**
 * Counts scans in a thread of its own, one task at a time, so that no figure holds up a redirect. A
 * thread that dies or hangs fails its task, and the next task starts another one.
 */
export function openCounter(location: Location, { thread = THREAD, taskMs = TASK_MS } = {}) {
  const queue = new FairQueue(queues.figures)
  const threads = new WorkThreads<CountTask, CountAnswer | undefined>({
    thread,
    taskMs,
    idleMs: IDLE_MS,
    memory: MEMORY,
  })
  const count = ((scans, question) => threads.perform({ location, scans, question })) as Count
  /**
   * Does work that counts scans when its owner's turn comes.
   * @param signal drops the work if it is aborted before its turn
   * @throws AppError rate_limited or busy if too many wait
   */
  const run: InCounterTurn = (owner, work, signal) => queue.run(owner, () => work(count), signal)
  return {
    run,
    /** Starts the thread, for questions that are soon to come. */
    warmUp: () => threads.prepare(1),
    /** Ends the thread, and starts none again. */
    stop: () => threads.stop(),
    /** For GET /metrics. */
    metrics: (): Metric[] => queue.metrics('figures', 'Figures'),
  }
}

/** Counts for a request when the turn of its reader comes. */
export type InCountTurn = <T>(
  request: FastifyRequest,
  work: (count: Count) => Promise<T>,
) => Promise<T>

/** @throws AppError range_too_long without an answer */
export function orTooLong<Answer>(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new AppError('range_too_long')
  return answer
}
