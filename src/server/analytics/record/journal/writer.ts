import type { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import { startThread } from '../../../work-threads.ts'
import type { Group, Order } from './group.ts'
import type { Closed, Groups } from './groups.ts'
import {
  COMMAND,
  CONTROL_WORDS,
  DONE,
  ORDER,
  PLACE,
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
    if (order) control.set([order.from, order.bytes, order.segment, order.offset], PLACE)
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

/** A redirect waits no longer than this for a write. */
const PATIENCE_MS = 50
const RETRY_FIRST_MS = 100
const RETRY_LAST_MS = 5_000
const SAY_EVERY_MS = MINUTE_MS

export type WritesDeps = {
  writer: Writer
  log: FastifyBaseLogger
  groups: Groups
  patienceMs?: number | undefined
  written: (group: Group) => void
  failed: () => void
  /** The disk keeps redirects waiting: let them go. */
  late: () => void
}

/**
 * Brings one group after the other to disk, one write under way at a time. A write that fails is made
 * again, the same bytes at the same place, until it succeeds.
 */
export class Writes {
  readonly #deps: WritesDeps
  #present: Closed | undefined
  #patience: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #retryMs = RETRY_FIRST_MS
  #isStopped = false
  /** By message: a slow disk that then fails must not fail unsaid. */
  readonly #saidAt = new Map<string, number>()
  #hasSaid = false
  /** A write failed or takes too long, and groups wait since then. */
  isLate = false

  constructor(deps: WritesDeps) {
    this.#deps = deps
  }

  get isBusy(): boolean {
    return this.#present !== undefined
  }

  /** Begins a write, if none is under way. */
  start() {
    if (this.#present || this.#isStopped) return
    this.#present = this.#deps.groups.next()
    if (this.#present) this.#write(this.#present)
  }

  /** Begins a write, if none is under way, and does not wait to try again. */
  hurry() {
    const failed = this.#retry && this.#present
    this.#endRetry()
    if (failed) this.#write(failed)
    else this.start()
  }

  /** Begins nothing more. */
  stop() {
    this.#isStopped = true
    clearTimeout(this.#patience)
    this.#endRetry()
  }

  #write(closed: Closed) {
    const { patienceMs = PATIENCE_MS } = this.#deps
    this.#patience ??= setTimeout(() => this.#endPatience(), patienceMs).unref()
    this.#patience.refresh()
    this.#deps.writer.write(closed.order, (error) => {
      if (error === undefined) this.#written(closed)
      else this.#failed(error)
    })
  }

  /** The disk gets its next group first, so that it works while these redirects go out. */
  #written({ group }: Closed) {
    this.#present = undefined
    this.#retryMs = RETRY_FIRST_MS
    // As long as groups wait, a new scan would have to wait for all of them.
    if (this.isLate && this.#deps.groups.waiting === 0) this.#recover()
    this.start()
    this.#deps.written(group)
  }

  #failed(reason: string) {
    if (this.#isStopped) return
    this.#deps.failed()
    this.#say({ reason }, 'scans not written to the journal yet')
    this.#fallBehind()
    this.#retry = setTimeout(() => this.hurry(), this.#retryMs)
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_LAST_MS)
  }

  /** This thread may have been busy: it first hears of writes that have ended. */
  #endPatience() {
    const slow = this.#present
    if (!slow || this.#retry || this.isLate) return
    setImmediate(() => {
      if (this.#present !== slow || this.#retry || this.#deps.writer.hasEnded) return
      this.#say({}, 'a write to the journal takes long; redirects go out before it')
      this.#fallBehind()
    })
  }

  #fallBehind() {
    this.isLate = true
    this.#deps.late()
  }

  #recover() {
    this.isLate = false
    if (this.#hasSaid) this.#deps.log.info('scans are being written to the journal again')
    this.#hasSaid = false
  }

  #endRetry() {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }

  /** A disk that is slow now and then must not fill the log. */
  #say(details: object, message: string) {
    const now = Date.now()
    if (now - (this.#saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < SAY_EVERY_MS) return
    this.#saidAt.set(message, now)
    this.#hasSaid = true
    this.#deps.log.error(details, message)
  }
}
