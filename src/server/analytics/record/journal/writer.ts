import type { Worker } from 'node:worker_threads'
import { startThread } from '../../../threads/work-threads.ts'
import type { Order } from './group.ts'
import {
  BYTES,
  COMMAND,
  CONTROL_WORDS,
  DONE,
  FROM,
  OFFSET,
  ORDER,
  SEGMENT,
  STOP,
  WRITE,
  type WriterThreadData,
  type WriterThreadMessage,
} from './shared-memory.ts'

const WRITER_THREAD = new URL('./writer-thread.ts', import.meta.url)
/** It needs little, and does not grow. */
const MEMORY = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }
/** A disk that hangs keeps the thread from ending. */
const CLOSE_PATIENCE_MS = 1_000

const newControl = () => new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS))

/** Called once for an order, with why it failed. */
export type Done = (error: string | undefined) => void

/** Brings bytes to disk, one order at a time. */
export interface Writer {
  write(order: Order, done: Done): void
  /** Whether the present order has ended, though its `done` is still to come. */
  readonly hasEnded: boolean
  close(): Promise<void>
}

/** Writes by a thread, and starts a new one for the next order if it ended. */
export class ThreadWriter implements Writer {
  readonly #data: Omit<WriterThreadData, 'control'>
  readonly #entry: URL
  #control = newControl()
  #thread: Worker | undefined
  #done: Done | undefined

  /** @param entry a test may take another thread */
  constructor(data: Omit<WriterThreadData, 'control'>, entry = WRITER_THREAD) {
    this.#data = data
    this.#entry = entry
  }

  /** Resolves when the thread runs, or when it cannot: then `write` tries again. */
  async warm(): Promise<void> {
    const thread = this.#runningThread()
    await new Promise<void>((resolve) => {
      if (!thread) return resolve()
      thread.once('message', () => resolve())
      thread.once('exit', () => resolve())
    })
  }

  write(order: Order, done: Done) {
    this.#done = done
    if (this.#runningThread()) this.#order(WRITE, order)
  }

  get hasEnded(): boolean {
    return Atomics.load(this.#control, DONE) === Atomics.load(this.#control, ORDER)
  }

  async close() {
    const thread = this.#thread
    if (!thread) return
    const ended = new Promise((resolve) => thread.once('exit', resolve))
    this.#order(STOP)
    const limit = new Promise((resolve) => setTimeout(resolve, CLOSE_PATIENCE_MS).unref())
    await Promise.race([ended, limit])
    thread.unref()
  }

  #order(command: number, order?: Order) {
    const control = this.#control
    control[COMMAND] = command
    if (order) {
      control[FROM] = order.from
      control[BYTES] = order.bytes
      control[SEGMENT] = order.segment
      control[OFFSET] = order.offset
    }
    Atomics.add(control, ORDER, 1)
    Atomics.notify(control, ORDER)
  }

  /** Undefined if the system has no thread to give at present: then the order ends with that. */
  #runningThread(): Worker | undefined {
    if (this.#thread) return this.#thread
    // Words of its own: a thread that ended has read no order of them.
    this.#control = newControl()
    const workerData: WriterThreadData = { ...this.#data, control: this.#control }
    const options = { name: 'journal', workerData, resourceLimits: MEMORY }
    this.#thread = startThread<WriterThreadMessage>(this.#entry, options, {
      message: (message) => {
        if (message !== 'ready') this.#end(message.error)
      },
      end: (error) => {
        this.#thread = undefined
        this.#end(error?.message ?? 'the journal thread ended')
      },
    })
    return this.#thread
  }

  #end(error: string | undefined) {
    const done = this.#done
    this.#done = undefined
    done?.(error)
  }
}
