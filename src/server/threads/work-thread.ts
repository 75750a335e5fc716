import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { Fault, Reply } from './serve-tasks.ts'

/** A thread broke or took too long. The client is answered 503, and the log says what happened. */
class ThreadLost extends Error {
  override name = 'ThreadLost'
  readonly statusCode = 503
}

export type ThreadOptions = {
  /** The program that the thread runs: it calls `serveTasks` */
  thread: URL
  /** Most that one task may take, in milliseconds */
  taskMs: number
  /** A thread without a task for so many milliseconds ends */
  idleMs: number
  /** A task that takes more ends its thread alone. */
  memory: ResourceLimits
}

type Job<Result> = {
  resolve: (result: Result) => void
  reject: (error: Error) => void
  limit: NodeJS.Timeout
}

/** One thread, for one task at a time. It ends when it breaks, hangs or idles. */
export class WorkThread<Task, Result> {
  readonly #options: ThreadOptions
  readonly #onEnd: () => void
  readonly #thread: Worker
  #job: Job<Result> | undefined
  #idle: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(options: ThreadOptions, onEnd: () => void) {
    this.#options = options
    this.#onEnd = onEnd
    this.#thread = new Worker(options.thread, { resourceLimits: options.memory })
    this.#thread.on('message', (reply: Reply<Result>) => this.#answer(reply))
    this.#thread.on('error', (cause) => this.#close('broke', cause))
    this.#thread.on('exit', () => this.#close('ended'))
    this.#rest()
  }

  get isFree(): boolean {
    return !this.#job
  }

  /** @throws what the task throws, with its name and message only; ThreadLost where the thread is lost */
  perform(task: Task): Promise<Result> {
    const { taskMs } = this.#options
    clearTimeout(this.#idle)
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.end(`took over ${taskMs} ms`), taskMs)
      this.#job = { resolve, reject, limit }
      this.#thread.postMessage(task)
    })
  }

  /** Ends the thread. The task that it works on fails. */
  async end(why = 'was stopped'): Promise<void> {
    this.#close(why)
    await this.#thread.terminate()
  }

  #answer(reply: Reply<Result>) {
    if (this.#hasEnded) return
    const job = this.#takeJob()
    if (reply.ok) job?.resolve(reply.result)
    else job?.reject(errorOf(reply.fault))
    this.#rest()
  }

  #rest() {
    this.#idle = setTimeout(() => this.end(), this.#options.idleMs)
  }

  #close(what: string, cause?: unknown) {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#idle)
    this.#onEnd()
    this.#takeJob()?.reject(new ThreadLost(`A thread ${what}`, { cause }))
  }

  #takeJob(): Job<Result> | undefined {
    const job = this.#job
    this.#job = undefined
    clearTimeout(job?.limit)
    return job
  }
}

/** What the task threw, as far as it crosses between threads. */
function errorOf({ name, message, stack }: Fault): Error {
  return Object.assign(new Error(message), { name, stack })
}
