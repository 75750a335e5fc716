import { DeflateWriter, REMEMBERED } from './deflate-writer.ts'

/** A row as what it differs from the row above it (W3C's PNG specification, third edition, §9.2). */
const UP = 2

/** Pixels that are remembered: more than a row and the farthest repetition take. */
const MASK = REMEMBERED - 1
/** Bits of the number under which two pixels that follow one another are found again. */
const KEY_BITS = 12

/**
 * The rows of a PNG of three or four bytes a pixel, compressed (RFC 1950). Nearly all pixels of a code
 * are as those above them, so that only the others are looked at: a compressor for any data takes
 * longer for the zeros alone.
 */
export class Differences {
  readonly #width: number
  readonly #channels: 3 | 4
  readonly #writer = new DeflateWriter()
  /** The row above, zeros at first */
  readonly #above: Int32Array
  #y = 0
  /** Differences of the last pixels, each four bytes, by the pixel's number */
  readonly #last = new Int32Array(REMEMBERED)
  /** Columns of this row's pixels that differ from those above them */
  readonly #changed: Int32Array
  /** By their key, one more than the number of the first of two pixels that follow one another */
  readonly #known = new Int32Array(2 ** KEY_BITS)

  /** @param width at most 16,384: the row is remembered while the farthest repetition of it is */
  constructor(width: number, channels: 3 | 4) {
    this.#width = width
    this.#channels = channels
    this.#above = new Int32Array(width)
    this.#changed = new Int32Array(width)
  }

  /** @param words the next rows' pixels, each four bytes, red first */
  add(words: Int32Array) {
    const width = this.#width
    for (let from = 0; from < words.length; from += width) {
      const above = from === 0 ? this.#above : words.subarray(from - width, from)
      const count = this.#findChanged(words, from, above)
      this.#writer.literal(UP)
      this.#writeRow(this.#y++, count)
      this.#writer.endRow()
    }
    this.#above.set(words.subarray(words.length - width))
  }

  end(): Uint8Array {
    return this.#writer.end()
  }

  /** How many pixels of the row differ from those above them. */
  #findChanged(words: Int32Array, from: number, above: Int32Array): number {
    const last = this.#last
    const changed = this.#changed
    const width = this.#width
    const colours = this.#channels === 3 ? 0x00ffffff : -1
    const row = this.#y * width
    this.#forget(row)
    let count = 0
    for (let x = 0; x < width; x++) {
      const word = words[from + x] as number
      const before = above[x] as number
      if (word === before) continue
      last[(row + x) & MASK] = minus(word, before) & colours
      changed[count++] = x
    }
    return count
  }

  /** No pixel of the row differs yet. */
  #forget(row: number) {
    const [from, to] = [row & MASK, (row & MASK) + this.#width]
    this.#last.fill(0, from, to)
    if (to > REMEMBERED) this.#last.fill(0, 0, to - REMEMBERED)
  }

  #writeRow(y: number, count: number) {
    const writer = this.#writer
    const channels = this.#channels
    const changed = this.#changed
    const last = this.#last
    const row = y * this.#width
    /** Up to where all is written, and up to where all is known to be new */
    let x = 0
    let end = 0
    for (let next = 0; next < count; ) {
      const at = changed[next] as number
      if (at > end) {
        writer.literals(last, row + x, row + end, channels)
        writer.zeros(channels * (at - end))
        x = at
      }
      const from = this.#placeOf(row + at, this.#width - at)
      if (from < 0) {
        end = at + 1
        next++
        continue
      }
      if (at > x) writer.literals(last, row + x, row + at, channels)
      x = at + this.#repeat(row + at, from, this.#width - at)
      end = x
      while (next < count && (changed[next] as number) < x) next++
    }
    writer.literals(last, row + x, row + end, channels)
    if (end < this.#width) writer.zeros(channels * (this.#width - end))
  }

  /** Where the two pixels from here on were before, -1 if that is not known. */
  #placeOf(at: number, left: number): number {
    if (left < 2) return -1
    const last = this.#last
    const first = last[at & MASK] as number
    const second = last[(at + 1) & MASK] as number
    const key = (Math.imul(first, 0x9e3779b1) + Math.imul(second, 0x85ebca6b)) >>> (32 - KEY_BITS)
    const from = (this.#known[key] as number) - 1
    this.#known[key] = at + 1
    if (from < 0 || last[from & MASK] !== first || last[(from + 1) & MASK] !== second) return -1
    const isNear = this.#bytesBetween(from, at) <= FARTHEST
    return isNear && from % this.#width < this.#width - 1 ? from : -1
  }

  /** Writes that the pixels from here on are those of another place; how many they are. */
  #repeat(at: number, from: number, left: number): number {
    const last = this.#last
    const longest = Math.floor(LONGEST / this.#channels)
    const most = Math.min(left, longest, this.#width - (from % this.#width))
    let length = 2
    while (length < most && last[(at + length) & MASK] === last[(from + length) & MASK]) length++
    this.#writer.repeat(length * this.#channels, this.#bytesBetween(from, at))
    this.#writer.sum(last, at, at + length, this.#channels)
    return length
  }

  #bytesBetween(from: number, to: number): number {
    const rows = Math.floor(to / this.#width) - Math.floor(from / this.#width)
    return (to - from) * this.#channels + rows
  }
}

/** RFC 1951 §3.2.5 */
const FARTHEST = 2 ** 15
const LONGEST = 258

/** Each byte of one less that of the other, without what it borrows from the next. */
function minus(one: number, other: number): number {
  return ((one | SIGNS) - (other & ~SIGNS)) ^ ((one ^ ~other) & SIGNS)
}
const SIGNS = 0x80808080 | 0
