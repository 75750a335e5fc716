import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { DrawingFailed, errorOf } from './drawing-faults.ts'
import type { DrawingReply, DrawingResult, DrawingTask } from './drawing-tasks.ts'

// Threads that replace the wrapper of the same WebAssembly import at once can end the process
// (V8's "Check failed: jit_page.has_value()", nodejs/node#64500): it stays as it is compiled first.
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647')

type Options = {
  /** The program that the thread runs */
  thread: URL
  /** Most that one task may take */
  patienceMs: number
  /** A thread that has had nothing to do for so long ends */
  idleMs: number
  onEnd: () => void
}

/** Three times what the largest picture takes beside its pixels: what takes more costs its thread alone. */
const MEMORY = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 12 }

type Job = {
  resolve: (result: DrawingResult<DrawingTask>) => void
  reject: (error: Error) => void
  limit: NodeJS.Timeout
}

/** One drawing thread as a function, for one task at a time. It ends when it breaks, hangs or idles. */
export class DrawingWorker {
  readonly #options: Options
  readonly #thread: Worker
  #job: Job | undefined
  #rest: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(options: Options) {
    this.#options = options
    this.#thread = new Worker(options.thread, { resourceLimits: MEMORY })
    this.#thread.on('message', (reply: DrawingReply) => this.#done(reply))
    this.#thread.on('error', (cause) => this.#ended(failed('broke', cause)))
    this.#thread.on('exit', () => this.#ended(failed('ended')))
  }

  get isFree(): boolean {
    return !this.#job
  }

  /** @throws AppError invalid_input where the engine refuses, DrawingFailed where the thread is lost */
  perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
    const { patienceMs } = this.#options
    clearTimeout(this.#rest)
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => this.end(`took over ${patienceMs} ms`), patienceMs)
      this.#job = { resolve, reject, limit }
      this.#thread.postMessage(task)
    })
  }

  /** What is under way fails. */
  async end(why = 'was stopped'): Promise<void> {
    this.#ended(failed(why))
    await this.#thread.terminate()
  }

  #done(reply: DrawingReply) {
    if (this.#hasEnded) return
    const job = this.#take()
    if (reply.ok) job?.resolve(reply.result)
    else job?.reject(errorOf(reply.fault))
    this.#rest = setTimeout(() => this.end(), this.#options.idleMs)
  }

  #ended(error: DrawingFailed) {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#rest)
    this.#options.onEnd()
    this.#take()?.reject(error)
  }

  #take(): Job | undefined {
    const job = this.#job
    this.#job = undefined
    clearTimeout(job?.limit)
    return job
  }
}

function failed(what: string, cause?: unknown) {
  return new DrawingFailed(`A drawing thread ${what}`, { cause })
}
