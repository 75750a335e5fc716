import pino from 'pino'
import { vi } from 'vitest'
import type { Order } from '../../../src/server/analytics/record/journal/group.ts'
import { type Sizes, sharedMemory } from '../../../src/server/analytics/record/journal/groups.ts'
import { Journal } from '../../../src/server/analytics/record/journal/journal.ts'
import type { Done, Writer } from '../../../src/server/analytics/record/journal/writer.ts'
import { visitWith } from './classified-visits.ts'
import { type ReadScan, readSegment } from './read-segment.ts'

const seen = visitWith('visitor-of-16-ch')

/** A disk that writes when the test says so. */
class Disk implements Writer {
  readonly segments = new Map<number, Buffer>()
  readonly #memory: Buffer
  readonly #segmentBytes: number
  #present: { order: Order; done: Done } | undefined
  hasEnded = false
  isClosed = false

  constructor(memory: SharedArrayBuffer, segmentBytes: number) {
    this.#memory = Buffer.from(memory)
    this.#segmentBytes = segmentBytes
  }

  get isWriting() {
    return this.#present !== undefined
  }

  write(order: Order, done: Done) {
    if (this.#present) throw new Error('two writes are under way')
    this.#present = { order, done }
  }

  async close() {
    this.isClosed = true
  }

  succeed() {
    this.#put(1)
    this.#end(undefined)
  }

  /** The disk may have taken some of the bytes. */
  fail(part = 0.5) {
    this.#put(part)
    this.#end('the disk is full')
  }

  #put(part: number) {
    if (!this.#present) return
    const { from, bytes, segment, offset } = this.#present.order
    if (offset + bytes > this.#segmentBytes) throw new Error('a frame lies behind its segment')
    const file = this.segments.get(segment) ?? Buffer.alloc(this.#segmentBytes)
    this.segments.set(segment, file)
    file.set(this.#memory.subarray(from, from + Math.floor(part * bytes)), offset)
  }

  #end(error: string | undefined) {
    const done = this.#present?.done
    this.#present = undefined
    done?.(error)
  }
}

export type BenchOptions = Sizes & { maxBytes?: number; wake?: () => void }

/** A journal with a test in place of its thread. */
export class Bench {
  readonly answers: number[] = []
  readonly errors: string[] = []
  readonly disk: Disk
  readonly journal: Journal
  sent = 0

  constructor(options: BenchOptions = {}) {
    const { segmentBytes = 64 << 10, frameBytes = 10 << 10, maxBytes = 1 << 30 } = options
    const sizes = { segmentBytes, frameBytes }
    const memory = sharedMemory(sizes)
    this.disk = new Disk(memory, segmentBytes)
    const log = pino(
      { level: 'error' },
      { write: (line: string) => this.errors.push(JSON.parse(line).msg) },
    )
    this.journal = new Journal({ ...sizes, maxBytes, log, wake: options.wake }, memory, this.disk)
  }

  scan(count = 1) {
    for (let left = count; left > 0; left--) {
      const number = this.sent++
      this.journal.record(`code ${number % 7}`, seen, number, () => this.answers.push(number))
    }
  }

  /** Lets the disk take all that the journal has for it. */
  writeAll() {
    while (this.disk.isWriting) this.disk.succeed()
  }

  /** Records scans, which the disk takes after their turn. */
  async write(count = 1) {
    this.scan(count)
    await vi.advanceTimersByTimeAsync(1)
    this.disk.succeed()
  }

  /** The scans on the disk, in its order; throws if a segment does not say where the one before it ended. */
  written(): ReadScan[] {
    const numbers = [...this.disk.segments.keys()].sort((one, other) => one - other)
    let previousEnd = 0
    return numbers.flatMap((number, index) => {
      const { header, scans, end } = readSegment(this.disk.segments.get(number) as Buffer)
      if (header.segment !== index || number !== index) throw new Error('a segment is missing')
      if (header.previousEnd !== previousEnd) throw new Error('a segment has another beginning')
      previousEnd = end
      return scans
    })
  }
}
