import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads'

/** A thread broke or took too long. The client is answered 503, and the log says what happened. */
class ThreadLost extends Error {
  override name = 'ThreadLost'
  readonly code = 'THREAD_LOST'
  readonly statusCode = 503
}

type StartOptions = { name?: string; workerData?: unknown; resourceLimits?: ResourceLimits }

/** The events of a thread that was started */
export type ThreadEvents<Message> = {
  message: (message: Message) => void
  /** Called once, when the thread has ended, with what broke it; also if the system had no thread to give. */
  end: (error?: Error) => void
}

/** Starts a thread. It never throws: undefined if the system has none to give. */
export function startThread<Message>(
  program: URL,
  options: StartOptions,
  { message, end }: ThreadEvents<Message>,
): Worker | undefined {
  let broke: Error | undefined
  try {
    const thread = new Worker(program, options)
    thread.on('message', message)
    thread.on('error', (error) => {
      broke = error as Error
    })
    // Only now it does nothing any more.
    thread.on('exit', () => end(broke))
    return thread
  } catch (error) {
    setImmediate(() => end(error as Error))
    return undefined
  }
}

export type ThreadOptions = {
  /** The program that the thread runs: it calls `serveTasks` */
  thread: URL
  /** The longest time of one task, in milliseconds */
  taskMs?: number
  /** Milliseconds after which a thread without a task ends */
  idleMs?: number
  /** A task that takes more ends its thread alone. */
  memory?: ResourceLimits
  /** The thread's `workerData` */
  data?: unknown
}

type Job<Result> = {
  resolve: (result: Result) => void
  reject: (error: Error) => void
  limit: NodeJS.Timeout | undefined
}

/** One thread, which works on its tasks in their order. It ends when it breaks, hangs or idles. */
export class WorkThread<Task, Result> {
  readonly #options: ThreadOptions
  readonly #onEnd: () => void
  readonly #thread: Worker | undefined
  readonly #jobs = new Map<number, Job<Result>>()
  #tickets = 0
  #idle: NodeJS.Timeout | undefined
  #lost: ThreadLost | undefined

  constructor(options: ThreadOptions, onEnd: () => void = () => {}) {
    this.#options = options
    this.#onEnd = onEnd
    const { thread, memory, data } = options
    const start = { workerData: data, ...(memory && { resourceLimits: memory }) }
    this.#thread = startThread<Reply<Result>>(thread, start, {
      message: (reply) => this.#answer(reply),
      end: (error) => this.#close('ended', error),
    })
    this.#rest()
  }

  get isFree(): boolean {
    return this.#jobs.size === 0
  }

  get hasEnded(): boolean {
    return this.#lost !== undefined
  }

  /** @throws what the task throws, as far as that crosses between threads; ThreadLost if the thread is lost */
  perform(task: Task): Promise<Result> {
    if (this.#lost) return Promise.reject(this.#lost)
    const { taskMs } = this.#options
    clearTimeout(this.#idle)
    const ticket = ++this.#tickets
    return new Promise((resolve, reject) => {
      const tooLong = () => this.end(`took over ${taskMs} ms`)
      const limit = taskMs === undefined ? undefined : setTimeout(tooLong, taskMs)
      this.#jobs.set(ticket, { resolve, reject, limit })
      this.#thread?.postMessage({ ticket, task })
    })
  }

  /** Ends the thread. The tasks that it works on fail. */
  async end(why = 'was stopped'): Promise<void> {
    this.#close(why)
    await this.#thread?.terminate()
  }

  #answer({ ticket, ...reply }: Reply<Result>) {
    const job = this.#jobs.get(ticket)
    this.#jobs.delete(ticket)
    clearTimeout(job?.limit)
    if ('fault' in reply) job?.reject(errorOf(reply.fault))
    else job?.resolve(reply.result)
    if (this.isFree) this.#rest()
  }

  #rest() {
    const { idleMs } = this.#options
    if (idleMs !== undefined && !this.#lost) this.#idle = setTimeout(() => this.end(), idleMs)
  }

  #close(what: string, cause?: unknown) {
    if (this.#lost) return
    this.#lost = new ThreadLost(`A thread ${cause ? 'broke' : what}`, { cause })
    clearTimeout(this.#idle)
    this.#onEnd()
    for (const { limit, reject } of this.#jobs.values()) {
      clearTimeout(limit)
      reject(this.#lost)
    }
    this.#jobs.clear()
  }
}

/** The error of the task, as far as it crosses between threads. */
function errorOf({ message, ...fault }: Fault): Error {
  return Object.assign(new Error(message), fault)
}

/**
 * Threads that all run one program. A thread starts when it is needed and ends when it has nothing to
 * do. There are as many as tasks at once, so the caller bounds those.
 */
export class WorkThreads<Task, Result> {
  readonly #options: ThreadOptions
  readonly #threads = new Set<WorkThread<Task, Result>>()
  #isStopped = false

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Threads, at work or resting. */
  get count(): number {
    return this.#threads.size
  }

  /** @throws as WorkThread.perform does */
  async perform(task: Task): Promise<Result> {
    if (this.#isStopped) throw new ThreadLost('The threads were stopped')
    return this.#freeThread().perform(task)
  }

  /** Starts threads until there are `count`, for tasks that are soon to come. */
  prepare(count: number) {
    if (this.#isStopped) return
    for (let missing = count - this.#threads.size; missing > 0; missing--) this.#start()
  }

  /** Ends all threads. The tasks that they work on fail. */
  async end(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  /** Ends all threads, and starts none again. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.end()
  }

  /** The first that is free, so that the others run out of work and end; or else a new one. */
  #freeThread(): WorkThread<Task, Result> {
    return this.#threads.values().find((thread) => thread.isFree) ?? this.#start()
  }

  #start(): WorkThread<Task, Result> {
    const onEnd = () => this.#threads.delete(thread)
    const thread: WorkThread<Task, Result> = new WorkThread(this.#options, onEnd)
    this.#threads.add(thread)
    return thread
  }
}

/*
 * The inside of a thread. A thread's program loads only what its tasks need: the contract, with Zod,
 * would cost each thread 6 MB and 30 ms at its start.
 */

/** An error as it crosses between threads, which keeps neither its class nor its other fields. */
type Fault = { name: string; message: string; stack?: string; code?: string }

type Reply<Result> = { ticket: number } & ({ result: Result } | { fault: Fault })

type ServeOptions<Result> = {
  /** The memory in a result that is moved to the asking thread instead of copied */
  movedOf?: (result: Result) => Transferable[]
  /** Whether the thread runs after others if there are not enough cores */
  isLowPriority?: boolean
}

/** Performs this thread's tasks, at low priority by default, so that they delay no redirect. */
export function serveTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  { movedOf = () => [], isLowPriority = true }: ServeOptions<Result> = {},
) {
  if (isLowPriority) lowerPriority()
  parentPort?.on('message', async ({ ticket, task }: { ticket: number; task: Task }) => {
    try {
      const result = await perform(task)
      parentPort?.postMessage({ ticket, result }, movedOf(result))
    } catch (error) {
      parentPort?.postMessage({ ticket, fault: faultOf(error) })
    }
  })
}

function faultOf(error: unknown): Fault {
  const { name, message, stack, code } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & { code?: string }
  return { name, message, ...(stack && { stack }), ...(typeof code === 'string' && { code }) }
}

const NICE = 10

/** Gives the calling thread low priority, so that it holds up no redirect. */
function lowerPriority() {
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (platform() === 'linux') setPriority(Math.max(NICE, getPriority()))
}
