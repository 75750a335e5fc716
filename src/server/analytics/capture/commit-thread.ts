import { Worker } from 'node:worker_threads'
import type { Location } from '../../database/connect.ts'
import type { CommitAnswer, CommitReply } from './recorder-thread.ts'

/** The recorder's thread as a function: lines in, and what became of their transaction. */
export class CommitThread {
  readonly #location: Location
  #thread: Worker | undefined
  /** Who waits for an answer, in the order of asking, which is that of answering. */
  #waiting: ((reply: CommitReply) => void)[] = []

  constructor(location: Location) {
    this.#location = location
  }

  /** What is asked for while a commit is under way shares the next transaction. Never rejects. */
  commit(lines: string[]): Promise<CommitReply> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      try {
        this.#thread ??= this.#start()
        this.#thread.postMessage({ scans: `[${lines.join(',')}]` })
      } catch (error) {
        // The system may have no thread to give just now.
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
    thread.on('message', (answer: CommitAnswer) => this.#done(answer))
    thread.on('error', (error) => this.#failAll((error as Error).message))
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
      this.#failAll('the recorder thread ended')
    })
    return thread
  }

  /** The first of those that shared a transaction hears of it all. */
  #done({ requests, reply }: CommitAnswer) {
    const [first, ...others] = this.#waiting.splice(0, requests)
    first?.(reply)
    for (const other of others) other(reply.ok ? { ok: true, commits: 0, refused: [] } : reply)
  }

  #failAll(message: string) {
    for (const settle of this.#waiting.splice(0)) settle({ ok: false, message })
  }
}
