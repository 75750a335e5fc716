import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { invalidInput } from '../http/errors.ts'
import type { DrawingFault, DrawingReply, DrawingResult, DrawingTask } from './drawing-thread.ts'

// Threads that replace the wrapper of the same WebAssembly import at once can end the process
// (V8's "Check failed: jit_page.has_value()", nodejs/node#64500): it stays as it is compiled first.
setFlagsFromString('--wasm-wrapper-tiering-budget=2147483647')

/** A thread broke or took too long. The client is answered 503, and the log says what happened. */
class DrawingFailed extends Error {
  override name = 'DrawingFailed'
  readonly statusCode = 503
}

type Options = {
  /** The program that the thread runs */
  thread: URL
  /** Most that one task may take, in milliseconds */
  taskMs: number
  /** A thread without a task for so many milliseconds ends */
  idleMs: number
  onEnd: () => void
}

/** Three times what the largest picture takes beside its pixels: a task that takes more ends its thread alone. */
const MEMORY = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 12 }

type Job = {
  resolve: (result: DrawingResult<DrawingTask>) => void
  reject: (error: Error) => void
  limit: NodeJS.Timeout
}

/** One drawing thread, for one task at a time. It ends when it breaks, hangs or idles. */
export class DrawingWorker {
  readonly #options: Options
  readonly #thread: Worker
  #job: Job | undefined
  #idle: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(options: Options) {
    this.#options = options
    this.#thread = new Worker(options.thread, { resourceLimits: MEMORY })
    this.#thread.on('message', (reply: DrawingReply) => this.#answer(reply))
    this.#thread.on('error', (cause) => this.#close('broke', cause))
    this.#thread.on('exit', () => this.#close('ended'))
  }

  get isFree(): boolean {
    return !this.#job
  }

  /** @throws AppError invalid_input where the engine refuses, DrawingFailed where the thread is lost */
  perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
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

  #answer(reply: DrawingReply) {
    if (this.#hasEnded) return
    const job = this.#takeJob()
    if (reply.ok) job?.resolve(reply.result)
    else job?.reject(errorOf(reply.fault))
    this.#idle = setTimeout(() => this.end(), this.#options.idleMs)
  }

  #close(what: string, cause?: unknown) {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#idle)
    this.#options.onEnd()
    this.#takeJob()?.reject(new DrawingFailed(`A drawing thread ${what}`, { cause }))
  }

  #takeJob(): Job | undefined {
    const job = this.#job
    this.#job = undefined
    clearTimeout(job?.limit)
    return job
  }
}

/** The field that asks too much of a picture, by the name of the engine's error. */
const fieldAtFault: Record<string, string | undefined> = {
  PictureTooSmall: 'size',
  TextTooLong: 'ecc',
}

/** What a thread threw, as the API says it. */
function errorOf({ name, message, stack }: DrawingFault): Error {
  const path = fieldAtFault[name]
  return path
    ? invalidInput([{ path, message }])
    : Object.assign(new Error(message), { name, stack })
}
