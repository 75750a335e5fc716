import { Worker } from 'node:worker_threads'
import type { Location } from '../database/connect.ts'
import type { CommitReply } from './recorder-thread.ts'

/** The recorder's thread as a function: lines in, one transaction, and what became of it. */
export class CommitThread {
  readonly #location: Location
  #thread: Worker | undefined
  #settle: ((reply: CommitReply) => void) | undefined

  constructor(location: Location) {
    this.#location = location
  }

  /** One commit at a time: call again when this one has settled. Never rejects. */
  commit(lines: string[]): Promise<CommitReply> {
    return new Promise((resolve) => {
      this.#settle = resolve
      try {
        this.#thread ??= this.#start()
        this.#thread.postMessage({ scans: `[${lines.join(',')}]` })
      } catch (error) {
        // The system may have no thread to give just now.
        this.#done({ ok: false, message: (error as Error).message })
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
    thread.on('message', (reply: CommitReply) => this.#done(reply))
    thread.on('error', (error) => this.#done({ ok: false, message: (error as Error).message }))
    thread.on('exit', () => {
      this.#thread = undefined
      this.#done({ ok: false, message: 'the recorder thread ended' })
    })
    return thread
  }

  #done(reply: CommitReply) {
    const settle = this.#settle
    this.#settle = undefined
    settle?.(reply)
  }
}
