import type { BitWriter } from './bit-writer.ts'
import { type HuffmanCode, huffmanCode } from './huffman.ts'
import type { Blocks } from './jpeg-blocks.ts'

/** Quantisation steps of a component: of its mean and of its other coefficients (ITU-T T.81 §A.3.4). */
export interface Steps {
  readonly dc: number
  readonly ac: number
}

/** One quantised component of a picture: for each kind of block its mean and its tokens. */
export interface Plane {
  readonly dc: Int32Array
  readonly ac: Lists
}

/** One list for each kind, all in one array. */
interface Lists {
  readonly items: Int32Array
  /** For each kind, where its list ends and the next begins */
  readonly ends: Int32Array
}

/** Codes of the means' differences and of the other coefficients. */
export interface Codes {
  readonly dc: HuffmanCode
  readonly ac: HuffmanCode
}

const COEFFICIENTS = 64
const END_OF_BLOCK = 0x00
const SIXTEEN_ZEROS = 0xf0

/** The component with the value `base` in the background and `base + range` in the foreground. */
export function planeOf(spectra: Float32Array, base: number, range: number, steps: Steps): Plane {
  const kinds = spectra.length / COEFFICIENTS
  const dc = new Int32Array(kinds)
  const items = new Int32Array(spectra.length)
  const ends = new Int32Array(kinds)
  let end = 0
  for (let kind = 0; kind < kinds; kind++) {
    const mean = spectra[kind * COEFFICIENTS] as number
    dc[kind] = Math.round((8 * base + range * mean) / steps.dc)
    end = writeTokens(spectra, kind * COEFFICIENTS, range / steps.ac, items, end)
    ends[kind] = end
  }
  return { dc, ac: { items, ends } }
}

/**
 * §F.1.2.2: a symbol says how many zeros come first and how many bits the value has. A token is the
 * symbol in bits 16 to 23, and below it the value's own bits. A block has at most 64 tokens.
 */
function writeTokens(
  spectra: Float32Array,
  start: number,
  scale: number,
  into: Int32Array,
  at: number,
): number {
  const least = 0.5 / Math.abs(scale)
  let end = at
  let last = 0
  for (let index = 1; index < COEFFICIENTS; index++) {
    const coefficient = spectra[start + index] as number
    if (coefficient < least && coefficient > -least) continue
    const value = rounded(coefficient * scale)
    let zeros = index - last - 1
    for (; zeros > 15; zeros -= 16) into[end++] = SIXTEEN_ZEROS << 16
    const size = bitsOf(value)
    into[end++] = (((zeros << 4) | size) << 16) | ownBits(value, size)
    last = index
  }
  if (last < COEFFICIENTS - 1) into[end++] = END_OF_BLOCK << 16
  return end
}

/** Rounds halves away from zero: a coefficient of half a step or more never becomes zero. */
function rounded(value: number): number {
  return Math.trunc(value + (value < 0 ? -0.5 : 0.5))
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(Math.abs(value))
}

/** §F.1.2.1.1: for a negative value the lowest bits of the value minus one. */
function ownBits(value: number, size: number): number {
  return value < 0 ? value + (1 << size) - 1 : value
}

/** The shortest codes for planes that share them. */
export function codesOf({ kinds, lengths }: Blocks, planes: readonly Plane[]): Codes {
  const dc = new Int32Array(256)
  const ac = new Int32Array(256)
  for (const plane of planes) {
    const counts = new Int32Array(plane.dc.length)
    let before = 0
    kinds.forEach((kind, run) => {
      const value = plane.dc[kind] as number
      const length = lengths[run] as number
      tally(dc, bitsOf(value - before), 1)
      tally(dc, 0, length - 1)
      counts[kind] = (counts[kind] as number) + length
      before = value
    })
    countSymbols(plane.ac, counts, ac)
  }
  return { dc: huffmanCode(dc), ac: huffmanCode(ac) }
}

function countSymbols({ items, ends }: Lists, counts: Int32Array, into: Int32Array) {
  let at = 0
  counts.forEach((times, kind) => {
    for (; at < (ends[kind] as number); at++) tally(into, (items[at] as number) >> 16, times)
  })
}

function tally(counts: Int32Array, symbol: number, times: number) {
  counts[symbol] = (counts[symbol] as number) + times
}

/** Writes one plane, a block at a time in the order of the picture. */
export class PlaneWriter {
  readonly #plane: Plane
  readonly #codes: Codes
  readonly #chunks: Lists
  readonly #writer: BitWriter
  #before = 0

  constructor(plane: Plane, codes: Codes, writer: BitWriter) {
    this.#plane = plane
    this.#codes = codes
    this.#chunks = chunksOf(plane.ac, codes.ac)
    this.#writer = writer
  }

  /** The code of a block that repeats the one before it; null if it does not fit into a chunk. */
  repetition(kind: number): Chunk | null {
    const { items, ends } = this.#chunks
    const start = kind === 0 ? 0 : (ends[kind - 1] as number)
    const chunk = items[start] as number
    const dcSize = this.#codes.dc.sizes[0] as number
    const size = dcSize + (chunk >> CHUNK_SIZE)
    if ((ends[kind] as number) - start > 1 || size > CHUNK_SIZE) return null
    const dcBits = this.#codes.dc.bits[0] as number
    return { bits: (dcBits << (chunk >> CHUNK_SIZE)) | (chunk & CHUNK_BITS), size }
  }

  write(kind: number): void {
    const { bits, sizes } = this.#codes.dc
    const value = this.#plane.dc[kind] as number
    const difference = value - this.#before
    this.#before = value
    const size = bitsOf(difference)
    this.#writer.write(bits[size] as number, sizes[size] as number)
    if (size > 0) this.#writer.write(ownBits(difference, size), size)
    const { items, ends } = this.#chunks
    const end = ends[kind] as number
    for (let at = kind === 0 ? 0 : (ends[kind - 1] as number); at < end; at++) {
      const chunk = items[at] as number
      this.#writer.write(chunk & CHUNK_BITS, chunk >> CHUNK_SIZE)
    }
  }
}

/** Up to 24 bits. */
interface Chunk {
  readonly bits: number
  readonly size: number
}

/** In a list a chunk is one number: up to 24 bits, and above them how many there are. */
const CHUNK_SIZE = 24
const CHUNK_BITS = 2 ** CHUNK_SIZE - 1

/** The code of each kind, assembled once for all places where its block occurs. */
function chunksOf(tokens: Lists, { bits, sizes }: HuffmanCode): Lists {
  const items = new Int32Array(tokens.items.length + tokens.ends.length)
  let [count, at] = [0, 0]
  const ends = tokens.ends.map((end) => {
    let [pending, size] = [0, 0]
    for (; at < end; at++) {
      const token = tokens.items[at] as number
      const symbol = token >> 16
      const own = symbol & 15
      const length = (sizes[symbol] as number) + own
      if (size + length > CHUNK_SIZE) {
        items[count++] = (size << CHUNK_SIZE) | pending
        pending = 0
        size = 0
      }
      pending = (pending << length) | ((bits[symbol] as number) << own) | (token & 0xffff)
      size += length
    }
    items[count++] = (size << CHUNK_SIZE) | pending
    return count
  })
  return { items, ends }
}
