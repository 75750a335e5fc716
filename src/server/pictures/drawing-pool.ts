import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { AppError, tryAgainIn } from '../http/errors.ts'
import type { DrawingResult, DrawingTask } from './drawing-thread.ts'
import { DrawingWorker } from './drawing-worker.ts'

/** A drawing takes milliseconds, a check a tenth of a second. */
type Lane = 'drawing' | 'check'

const defaults = {
  thread: new URL('./drawing-thread.ts', import.meta.url),
  /** Threads; at least two, one for each lane. */
  size: Math.min(5, Math.max(2, availableParallelism())),
  /** Most tasks that are unfinished: about a second's drawings, and some seconds' checks. */
  tasksMax: { drawing: 200, check: 50 },
  taskMs: 20_000,
  idleMs: 30_000,
  stopMs: 5_000,
}
export type PoolOptions = typeof defaults

/**
 * Draws and checks in threads of low priority, so that no burst of pictures holds up a redirect. A
 * thread starts when it is needed and ends when it has nothing to do. Drawings have one half of the
 * threads and checks the other: neither waits for the other, and a burst leaves a core to the
 * redirects.
 */
export class DrawingPool {
  readonly #options: PoolOptions
  readonly #lanes: Record<Lane, LimitFunction>
  readonly #workers = new Set<DrawingWorker>()
  readonly #unfinished = new Set<Promise<unknown>>()
  #isStopped = false
  #hasEnded = false
  /** Tasks that a thread took on, and those that were refused because too many were unfinished. */
  readonly counts = { performed: 0, refused: 0 }

  constructor(options: Partial<PoolOptions> = {}) {
    this.#options = { ...defaults, ...options }
    const { size } = this.#options
    this.#lanes = { drawing: pLimit(Math.ceil(size / 2)), check: pLimit(Math.floor(size / 2)) }
  }

  get threads(): number {
    return this.#workers.size
  }

  get waiting(): number {
    return this.#lanes.drawing.pendingCount + this.#lanes.check.pendingCount
  }

  /**
   * @throws AppError busy where too many are unfinished, unavailable once stopped, invalid_input where the
   * engine refuses; DrawingFailed where the thread is lost
   */
  async run<Task extends DrawingTask>(task: Task): Promise<DrawingResult<Task>> {
    if (this.#isStopped) throw new AppError('unavailable')
    const name = task.kind === 'check' ? 'check' : 'drawing'
    const lane = this.#lanes[name]
    if (lane.activeCount + lane.pendingCount >= this.#options.tasksMax[name]) {
      this.counts.refused++
      throw tryAgainIn(1, 'busy')
    }
    const result = lane(() => this.#perform(task))
    const finish = () => this.#unfinished.delete(result)
    this.#unfinished.add(result)
    result.then(finish, finish)
    return result as Promise<DrawingResult<Task>>
  }

  /** Takes no new task, waits `stopMs` for those that it has, and ends its threads. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const limit = sleep(this.#options.stopMs, undefined, { ref: false })
    await Promise.race([Promise.allSettled(this.#unfinished), limit])
    this.#hasEnded = true
    await Promise.all([...this.#workers].map((worker) => worker.end()))
  }

  /** For GET /metrics. */
  metrics() {
    const { performed, refused } = this.counts
    const done = 'Pictures, archives and scan checks that were made'
    return [
      metric('drawings_total', 'counter', done, performed),
      metric('drawings_refused_total', 'counter', 'Those refused because too many waited', refused),
      metric('drawings_waiting', 'gauge', 'Those that wait for a thread', this.waiting),
      metric('drawing_threads', 'gauge', 'Threads that draw, at work or resting', this.threads),
    ]
  }

  #perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
    if (this.#hasEnded) throw new AppError('unavailable')
    this.counts.performed++
    return this.#freeWorker().perform(task)
  }

  /** The first that is free, so that the others run out of work and end; or else a new one. */
  #freeWorker(): DrawingWorker {
    const free = this.#workers.values().find((worker) => worker.isFree)
    if (free) return free
    const { thread, taskMs, idleMs } = this.#options
    const onEnd = () => this.#workers.delete(worker)
    const worker: DrawingWorker = new DrawingWorker({ thread, taskMs, idleMs, onEnd })
    this.#workers.add(worker)
    return worker
  }
}

const metric = (name: string, type: 'counter' | 'gauge', help: string, value: number) => ({
  name: `tessera_${name}`,
  help,
  type,
  value,
})
