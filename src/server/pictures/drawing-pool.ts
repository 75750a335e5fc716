import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../http/errors.ts'
import { DrawingQueue, type Lane } from './drawing-queue.ts'
import type { DrawingResult, DrawingTask } from './drawing-tasks.ts'
import { DrawingWorker } from './drawing-worker.ts'

type Job = {
  task: DrawingTask
  lane: Lane
  resolve: (result: DrawingResult<DrawingTask>) => void
  reject: (error: unknown) => void
}

const defaults = {
  thread: new URL('./drawing-thread.ts', import.meta.url),
  /** Two at least, so that there is one for each kind of work. */
  size: Math.min(5, Math.max(2, availableParallelism())),
  /** Most that wait: about a second's drawings, and some seconds' checks. */
  queue: { drawing: 200, check: 50 },
  patienceMs: 20_000,
  idleMs: 30_000,
  stopMs: 5_000,
}
export type PoolOptions = typeof defaults

/**
 * Draws and checks in threads of low priority, so that no burst of pictures holds up a redirect.
 * Threads start when they are needed and end when they are not. Neither drawings nor checks ever
 * take all of them: neither waits for the other, and a burst leaves a core to the redirects.
 */
export class DrawingPool {
  readonly #options: PoolOptions
  readonly #queue: DrawingQueue<Job>
  readonly #workers = new Set<DrawingWorker>()
  readonly #open = new Set<Promise<unknown>>()
  readonly #working: Record<Lane, number> = { drawing: 0, check: 0 }
  #isStopped = false
  /** Tasks that a thread took on, and those for which there was no room. */
  readonly counts = { performed: 0, refused: 0 }

  constructor(options: Partial<PoolOptions> = {}) {
    this.#options = { ...defaults, ...options }
    this.#queue = new DrawingQueue(this.#options.queue)
  }

  get threads(): number {
    return this.#workers.size
  }

  get waiting(): number {
    return this.#queue.length
  }

  /**
   * @throws AppError busy where too many wait, unavailable once stopped, invalid_input where the
   * engine refuses; DrawingFailed where the thread is lost
   */
  async run<Task extends DrawingTask>(task: Task): Promise<DrawingResult<Task>> {
    if (this.#isStopped) throw new AppError('unavailable')
    const lane = task.kind === 'check' ? 'check' : 'drawing'
    const result = new Promise<DrawingResult<DrawingTask>>((resolve, reject) => {
      if (this.#queue.add({ task, lane, resolve, reject }, lane)) return
      this.counts.refused++
      reject(new AppError('busy'))
    })
    const close = () => this.#open.delete(result)
    this.#open.add(result)
    result.then(close, close)
    this.#dispatch()
    return result as Promise<DrawingResult<Task>>
  }

  /** Takes nothing new on, lets what it has taken on end within a bound, and ends its threads. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const patience = sleep(this.#options.stopMs, undefined, { ref: false })
    await Promise.race([Promise.allSettled(this.#open), patience])
    for (const { reject } of this.#queue.takeAll()) reject(new AppError('unavailable'))
    await Promise.all([...this.#workers].map((worker) => worker.end()))
  }

  #dispatch() {
    while (this.#hasFreeHand()) {
      const job = this.#queue.next((lane) => this.#working[lane] < this.#options.size - 1)
      if (!job) return
      void this.#perform(job)
    }
  }

  #hasFreeHand(): boolean {
    return this.#workers.size < this.#options.size || this.#freeWorker() !== undefined
  }

  async #perform({ task, lane, resolve, reject }: Job) {
    this.#working[lane]++
    this.counts.performed++
    try {
      const worker = this.#freeWorker() ?? this.#newWorker()
      resolve(await worker.perform(task))
    } catch (error) {
      reject(error)
    }
    this.#working[lane]--
    this.#dispatch()
  }

  /** The first that is free, so that the others come to rest and end. */
  #freeWorker(): DrawingWorker | undefined {
    return this.#workers.values().find((worker) => worker.isFree)
  }

  #newWorker(): DrawingWorker {
    const { thread, patienceMs, idleMs } = this.#options
    const onEnd = () => this.#workers.delete(worker)
    const worker: DrawingWorker = new DrawingWorker({ thread, patienceMs, idleMs, onEnd })
    this.#workers.add(worker)
    return worker
  }
}
