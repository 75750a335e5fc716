import { dct } from './dct.ts'
import type { Raster } from './raster.ts'

/**
 * A picture as blocks of 8 × 8 pixels, row by row. A QR code repeats itself: it has few different
 * blocks, called kinds, and each kind is transformed only once.
 */
export interface Blocks {
  /** For each run of equal blocks: their kind, and how many blocks there are */
  readonly kinds: readonly number[]
  readonly lengths: readonly number[]
  /** For each kind 64 coefficients in zigzag order: the DCT of the foreground's share of each pixel, 0 to 1 */
  readonly spectra: Float32Array
}

const EDGE = 8
const AREA = EDGE * EDGE
/** Bits of a share in a strip, which is 8 pixels side by side as one number. */
const DEPTH = 4
const FULL = 2 ** DEPTH - 1

/** The picture's blocks. Beyond its right and lower edge there is background, as in the quiet zone. */
export function blocksOf(raster: Raster): Blocks {
  const strips = stripsOf(raster)
  const seen = new Kinds(strips)
  const kinds = [seen.kindAt(0)]
  const lengths = [1]
  for (let at = EDGE; at < strips.length; at += EDGE) {
    if (isSame(strips, at, at - EDGE)) {
      lengths[lengths.length - 1] = (lengths[lengths.length - 1] as number) + 1
    } else {
      kinds.push(seen.kindAt(at))
      lengths.push(1)
    }
  }
  return { kinds, lengths, spectra: seen.spectra() }
}

/** All strips of the picture, the eight of a block together. Rows that are the same array are read once. */
function stripsOf({ rows, size, shades }: Raster): Int32Array {
  const across = Math.ceil(size / EDGE)
  const strips = new Int32Array(across * across * EDGE)
  const scale = FULL / (shades - 1)
  const padded = new Uint8Array(across * EDGE)
  const line = new Int32Array(across)
  rows.forEach((row, y) => {
    if (row !== rows[y - 1]) {
      padded.set(row)
      for (let column = 0; column < across; column++) {
        line[column] = strip(padded, column * EDGE) * scale
      }
    }
    const first = (y >> 3) * across * EDGE + (y & 7)
    for (let column = 0; column < across; column++) {
      strips[first + column * EDGE] = line[column] as number
    }
  })
  return strips
}

function strip(row: Uint8Array, x: number): number {
  let packed = 0
  for (let at = x; at < x + EDGE; at++) packed = (packed << DEPTH) | (row[at] as number)
  return packed
}

function isSame(strips: Int32Array, one: number, other: number): boolean {
  for (let y = 0; y < EDGE; y++) if (strips[one + y] !== strips[other + y]) return false
  return true
}

class Kinds {
  readonly #strips: Int32Array
  /** By hash: where the first block of each kind is */
  readonly #known = new Map<number, { at: number; kind: number }[]>()
  #count = 0
  #spectra = new Float32Array(64 * AREA)

  constructor(strips: Int32Array) {
    this.#strips = strips
  }

  spectra(): Float32Array {
    return this.#spectra.subarray(0, this.#count * AREA)
  }

  /** The kind of the block whose strips begin at this index. */
  kindAt(at: number): number {
    let hash = 0
    for (let y = at; y < at + EDGE; y++) {
      hash = Math.imul((hash ^ (this.#strips[y] as number)) + 1, 0x9e3779b1)
      hash ^= hash >>> 15
    }
    const alike = this.#known.get(hash)
    if (alike) for (const each of alike) if (isSame(this.#strips, each.at, at)) return each.kind
    const kind = this.#count++
    this.#transform(at, kind * AREA)
    if (alike) alike.push({ at, kind })
    else this.#known.set(hash, [{ at, kind }])
    return kind
  }

  #transform(at: number, to: number) {
    if (to === this.#spectra.length) {
      const larger = new Float32Array(2 * to)
      larger.set(this.#spectra)
      this.#spectra = larger
    }
    writeSpectrum(this.#strips, at, this.#spectra, to)
  }
}

/** The order of the coefficients, from low to high frequencies (ITU-T T.81 §A.3.6, figure A.6). */
const zigzag = Int32Array.from(diagonals())

function diagonals(): number[] {
  const order: number[] = []
  for (let sum = 0; sum <= 2 * (EDGE - 1); sum++) {
    const upwards: number[] = []
    for (let x = Math.max(0, sum - EDGE + 1); x <= Math.min(sum, EDGE - 1); x++) {
      upwards.push((sum - x) * EDGE + x)
    }
    order.push(...(sum % 2 === 0 ? upwards : upwards.reverse()))
  }
  return order
}

const shares = new Float32Array(AREA)

function writeSpectrum(strips: Int32Array, start: number, into: Float32Array, to: number) {
  for (let at = 0; at < AREA; at++) {
    const strip = strips[start + (at >> 3)] as number
    shares[at] = ((strip >>> (DEPTH * (7 - (at & 7)))) & FULL) / FULL
  }
  for (let y = 0; y < EDGE; y++) dct(shares, y * EDGE, 1)
  for (let x = 0; x < EDGE; x++) dct(shares, x, EDGE)
  for (let at = 0; at < AREA; at++) into[to + at] = shares[zigzag[at] as number] as number
}
