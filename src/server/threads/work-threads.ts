import { type ThreadOptions, WorkThread } from './work-thread.ts'

/**
 * Threads that all run one program. A thread starts when it is needed and ends when it has nothing to
 * do. There are as many as tasks at once, so the caller bounds those.
 */
export class WorkThreads<Task, Result> {
  readonly #options: ThreadOptions
  readonly #threads = new Set<WorkThread<Task, Result>>()

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  /** Threads, at work or resting. */
  get count(): number {
    return this.#threads.size
  }

  /** @throws as WorkThread.perform does */
  perform(task: Task): Promise<Result> {
    return this.#freeThread().perform(task)
  }

  /** Starts threads until there are so many, for tasks that are soon to come. */
  prepare(count: number) {
    while (this.#threads.size < count) this.#start()
  }

  /** Ends all threads. The tasks that they work on fail. */
  async end(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.end()))
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
