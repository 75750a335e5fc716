import { randomBytes } from 'node:crypto'
import { COUNTER_END } from '../../store/scan-ids.ts'
import type { Position } from '../../store/scans-store.ts'
import { Group, type GroupStyle, Numbers, type Order } from './group.ts'
import { BEGINNING, FRAME_BYTES, HEADER_BYTES, SEGMENT_BYTES, seedOf } from './layout.ts'

/** Closed groups that wait for the disk: 16 MiB, half a million scans of known visitors. */
export const WAITING_MAX = 64
/** And the one under way, and the open one. */
const GROUPS = WAITING_MAX + 2
const NONCE_BYTES = 5

/** Sizes that tests make smaller, in multiples of 8 bytes: a frame from 10 KiB on, a segment of a few frames. */
export type Sizes = { segmentBytes?: number | undefined; frameBytes?: number | undefined }

/** A group that takes no more scans, and how to write it. */
export type Closed = { group: Group; order: Order }

const sizeOf = (frameBytes: number) => HEADER_BYTES + frameBytes

/** Memory for all groups. What was never used of it takes no real memory. */
export const sharedMemory = ({ frameBytes = FRAME_BYTES }: Sizes) =>
  new SharedArrayBuffer(GROUPS * sizeOf(frameBytes))

/** The groups of a journal that are not on disk, each with its place in the journal. */
export class Groups {
  readonly segmentBytes: number
  readonly #frameBytes: number
  /** The last one first: what was used lies in memory already. */
  readonly #free: Group[]
  readonly #closed: Closed[] = []
  #writing: Group | undefined
  #open: Group | undefined
  #end: Position = BEGINNING
  #previousEnd = 0
  #counter = 0
  /** The numbers of the open group's segment */
  readonly numbers = new Numbers()

  /** @param memory as `sharedMemory` makes it for these sizes */
  constructor(memory: SharedArrayBuffer, sizes: Sizes) {
    const { segmentBytes = SEGMENT_BYTES, frameBytes = FRAME_BYTES } = sizes
    this.segmentBytes = segmentBytes
    this.#frameBytes = frameBytes
    const nonce = randomBytes(NONCE_BYTES).toString('hex')
    const style: GroupStyle = { nonce, seed: seedOf(nonce), segmentBytes }
    const group = (_: unknown, index: number) =>
      new Group(memory, index * sizeOf(frameBytes), frameBytes, style)
    this.#free = Array.from({ length: GROUPS }, group)
  }

  get open(): Group | undefined {
    return this.#open
  }

  /** The end of the last closed group, where the open one begins. */
  get end(): Position {
    return this.#end
  }

  /** How many closed groups wait, beside the one that is being written. */
  get waiting(): number {
    return this.#closed.length
  }

  /** Oldest first. */
  all(): Group[] {
    const groups = [this.#writing, ...this.#closed.map(({ group }) => group), this.#open]
    return groups.filter((group) => group !== undefined)
  }

  /** Closes the open group. */
  closeOpen() {
    const group = this.#open
    if (!group) return
    this.#open = undefined
    this.#end = group.end
    this.#counter = (this.#counter + group.scans) % COUNTER_END
    this.#closed.push({ group, order: group.seal(this.#previousEnd) })
  }

  /** Opens a group behind the last one; undefined without free memory. None is open. */
  begin(): Group | undefined {
    const group = this.#free.pop()
    if (!group) return undefined
    if (this.segmentBytes - this.#end.offset < this.#frameBytes) this.#beginSegment()
    group.begin(this.#end, this.#counter)
    this.#open = group
    return group
  }

  /** The oldest group, to be written now, closed if need be. Give it back by `free`. */
  next(): Closed | undefined {
    if (this.#closed.length === 0) this.closeOpen()
    const next = this.#closed.shift()
    this.#writing = next?.group
    return next
  }

  free(group: Group) {
    this.#free.push(group)
  }

  #beginSegment() {
    this.#previousEnd = this.#end.offset
    this.#end = { segment: this.#end.segment + 1, offset: HEADER_BYTES }
    this.numbers.clear()
  }
}
