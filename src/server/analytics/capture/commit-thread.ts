import { Worker } from 'node:worker_threads'
import type { Location } from '../../database/connect.ts'
import type { CommitAnswer, CommitReply } from './recorder-thread.ts'

/** The recorder's thread as a function: takes lines, and answers what became of their transaction. */
export class CommitThread {
  readonly #location: Location
  #thread: Worker | undefined
  /** The requests without an answer. The thread answers them in this order. */
  #waiting: ((reply: CommitReply) => void)[] = []

  constructor(location: Location) {
    this.#location = location
  }

  /** Requests that come during a commit share the next transaction. Never rejects. */
  commit(lines: string[]): Promise<CommitReply> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      try {
        this.#thread ??= this.#start()
        this.#thread.postMessage({ scans: `[${lines.join(',')}]` })
      } catch (error) {
        // The system may have no thread to give.
        this.#failAll((error as Error).message)
      }
    })
  }

  /** Starts the thread and connects it, so that the first scan need not wait for that. Never rejects. */
  async warm(): Promise<void> {
    await this.commit([])
  }

  async stop() {
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const thread = new Worker(new URL('./recorder-thread.ts', import.meta.url), {
      workerData: this.#location,
    })
    thread.on('message', (answer: CommitAnswer) => this.#answer(answer))
    thread.on('error', (error) => this.#failAll((error as Error).message))
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      this.#failAll('the recorder thread ended')
    })
    return thread
  }

  /** Of the requests that shared a transaction, the first one gets its count and its refused scans. */
  #answer({ requests, reply }: CommitAnswer) {
    const [first, ...others] = this.#waiting.splice(0, requests)
    first?.(reply)
    for (const other of others) other(reply.ok ? { ok: true, commits: 0, refused: [] } : reply)
  }

  #failAll(message: string) {
    for (const settle of this.#waiting.splice(0)) settle({ ok: false, message })
  }
}
