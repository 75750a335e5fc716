import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { AppError, invalidInput } from '../http/errors.ts'
import { queues } from '../http/limits/limits.ts'
import { counter, gauge, type Metric } from '../http/metrics.ts'
import { FairQueue, type QueueBounds } from '../http/queue/fair-queue.ts'
import { WorkThreads } from '../work-threads.ts'
import type { DrawingResult, DrawingTask } from './drawing-thread.ts'

// Threads that replace the wrapper of the same WebAssembly import at once can end the process
// (V8's "Check failed: jit_page.has_value()", nodejs/node#64500): it stays as it is compiled first.
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647')

/** A drawing takes milliseconds, a check a tenth of a second. */
type Lane = 'drawings' | 'checks'

const defaults = {
  thread: new URL('./drawing-thread.ts', import.meta.url),
  /** Threads, the checks' among them. */
  size: Math.min(5, Math.max(3, availableParallelism())),
  /** Bounds that differ from the table of limits */
  limits: {} as Partial<Record<Lane, Partial<QueueBounds>>>,
  taskMs: 20_000,
  idleMs: 30_000,
  stopMs: 5_000,
}
export type PoolOptions = typeof defaults

/** Three times what the largest picture takes beside its pixels. */
const MEMORY = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 12 }

/** The caller that a picture is for */
export type Asker = {
  /** The account that takes a turn */
  owner: string
  /** Drops the task when it is aborted before its turn. */
  signal?: AbortSignal
  /** Never refused: the caller bounds how many such tasks wait. */
  isExempt?: boolean
}

/**
 * Draws and checks in threads of low priority, so that no burst of pictures holds up a redirect.
 * Drawings have one part of the threads and checks the other: neither waits for the other. In each,
 * accounts take turns, and where it has several threads one account leaves one to the others.
 */
export class DrawingPool {
  readonly #options: PoolOptions
  readonly #lanes: Record<Lane, FairQueue>
  readonly #threads: WorkThreads<DrawingTask, DrawingResult<DrawingTask>>
  readonly #unfinished = new Set<Promise<unknown>>()
  #isStopped = false
  #hasEnded = false
  /** Tasks that a thread has begun */
  readonly performed = { drawings: 0, checks: 0 }

  constructor(options: Partial<PoolOptions> = {}) {
    this.#options = { ...defaults, ...options }
    const { size, limits, thread, taskMs, idleMs } = this.#options
    const lane = (name: Lane, threads: number) =>
      new FairQueue({ ...queues[name], ...shares(threads), ...limits[name] })
    this.#lanes = {
      drawings: lane('drawings', Math.ceil(size / 2)),
      checks: lane('checks', Math.floor(size / 2)),
    }
    this.#threads = new WorkThreads({ thread, taskMs, idleMs, memory: MEMORY })
  }

  get threads(): number {
    return this.#threads.count
  }

  get waiting(): number {
    return this.#lanes.drawings.waiting + this.#lanes.checks.waiting
  }

  /**
   * @throws AppError rate_limited if too many of the owner wait, busy if too many of all do,
   * unavailable once stopped, invalid_input if the engine refuses; ThreadLost if the thread is
   * lost; the signal's reason if it is aborted before the task's turn
   */
  async run<Task extends DrawingTask>(
    task: Task,
    { owner, signal, isExempt }: Asker,
  ): Promise<DrawingResult<Task>> {
    if (this.#isStopped) throw new AppError('unavailable')
    const lane = task.kind.startsWith('check') ? 'checks' : 'drawings'
    // A task waits, so more threads are needed: they are ready when another account comes.
    if (this.#lanes[lane].waiting > 0) this.#threads.prepare(this.#options.size)
    const result = this.#lanes[lane].run(owner, () => this.#perform(lane, task), signal, isExempt)
    const finish = () => this.#unfinished.delete(result)
    this.#unfinished.add(result)
    result.then(finish, finish)
    return result as Promise<DrawingResult<Task>>
  }

  /** Refuses new tasks, waits `stopMs` for the others, and ends its threads. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const limit = sleep(this.#options.stopMs, undefined, { ref: false })
    await Promise.race([Promise.allSettled(this.#unfinished), limit])
    this.#hasEnded = true
    await this.#threads.end()
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    const { drawings, checks } = this.performed
    return [
      counter('drawings_total', 'Pictures and archives that were drawn', drawings),
      ...this.#lanes.drawings.metrics('drawings', 'Pictures and archives'),
      counter('checks_total', 'Scan checks that were made', checks),
      ...this.#lanes.checks.metrics('checks', 'Scan checks'),
      gauge('drawing_threads', 'Threads that draw and check, at work or resting', this.threads),
    ]
  }

  async #perform(lane: Lane, task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
    if (this.#hasEnded) throw new AppError('unavailable')
    this.performed[lane]++
    return this.#threads.perform(task).catch((error) => {
      throw refusalOf(error) ?? error
    })
  }
}

/** The threads that work at once, of all and of one account */
function shares(threads: number) {
  return { atOnce: threads, atOnceEach: Math.max(1, threads - 1) }
}

/** The field that asks too much of a picture, by the name of the engine's error. */
const fieldAtFault: Record<string, string | undefined> = {
  PictureTooSmall: 'size',
  TextTooLong: 'ecc',
}

/** The API's refusal for an error of the engine, if it is one of the input. */
function refusalOf({ name, message }: Error): AppError | undefined {
  const path = fieldAtFault[name]
  return path === undefined ? undefined : invalidInput([{ path, message }])
}
