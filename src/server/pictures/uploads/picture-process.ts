import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { PictureReply, PictureTask } from './picture-program.ts'

const PROGRAM = fileURLToPath(new URL('./picture-program.ts', import.meta.url))

/** One picture at a time needs one thread, and one heap: two would keep what one has freed. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '1' }

/** The process was killed or broke at a picture. */
export class PictureProcessLost extends Error {
  override name = 'PictureProcessLost'
}

export type PictureProcessLimits = {
  /** Most that a start may take, in milliseconds */
  startMs: number
  /** Most that one picture may take */
  taskMs: number
}

type Waiter = { resolve: (message: unknown) => void; reject: (error: Error) => void }

/**
 * Reads people's pictures, one at a time, each in a process of its own that ends with it: what a picture
 * breaks, it breaks in no server, and the next picture, which is another person's, finds all memory free.
 */
export class PictureProcess {
  readonly #limits: PictureProcessLimits
  #child: ChildProcess | undefined
  #waiter: Waiter | undefined
  #limit: NodeJS.Timeout | undefined

  constructor(limits: Partial<PictureProcessLimits> = {}) {
    this.#limits = { startMs: 15_000, taskMs: 2_000, ...limits }
  }

  /** The process's id, if one runs */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Call it again only after its answer. @throws PictureProcessLost */
  async read(task: PictureTask): Promise<PictureReply> {
    const child = await this.#start()
    const reply = this.#next(this.#limits.taskMs)
    child.send(task, (error) => error && this.#lose(error.message))
    try {
      return (await reply) as PictureReply
    } finally {
      this.stop()
    }
  }

  stop() {
    this.#lose('was stopped')
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(PROGRAM, {
      serialization: 'advanced',
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=64'],
    })
    this.#child = child
    child.on('message', (message) => this.#takeWaiter()?.resolve(message))
    child.on('error', ({ message }) => this.#child === child && this.#lose(message))
    child.on('exit', () => this.#child === child && this.#lose('ended'))
    await this.#next(this.#limits.startMs)
    return child
  }

  #next(limitMs: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject }
      this.#limit = setTimeout(() => this.#lose(`took over ${limitMs} ms`), limitMs)
    })
  }

  #takeWaiter(): Waiter | undefined {
    clearTimeout(this.#limit)
    const waiter = this.#waiter
    this.#waiter = undefined
    return waiter
  }

  #lose(why: string) {
    const child = this.#child
    this.#child = undefined
    child?.kill('SIGKILL')
    this.#takeWaiter()?.reject(new PictureProcessLost(`The picture process ${why}`))
  }
}
