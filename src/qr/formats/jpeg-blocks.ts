import type { Rgb } from './colour.ts'
import type { Pixels } from './pixels.ts'
import type { Raster } from './raster.ts'

/**
 * A picture as blocks of 8 × 8 pixels, row by row. A QR code repeats itself: it has few different
 * blocks, called kinds, and each kind is transformed only once.
 */
export interface Blocks {
  /** For each run of equal blocks: their kind, and how many blocks there are */
  readonly kinds: readonly number[]
  readonly lengths: readonly number[]
  /**
   * For each kind 64 coefficients in zigzag order, the DCT of its pixels. Shades have one list, by the
   * foreground's share of each pixel, 0 to 1; colors have three, by Y, Cb and Cr around zero.
   */
  readonly spectra: readonly Float32Array[]
}

const EDGE = 8
const AREA = EDGE * EDGE
/** Bits of a share in a strip, which is 8 pixels side by side as one number. */
const DEPTH = 4
const FULL = 2 ** DEPTH - 1

/** The picture's blocks. Beyond its right and lower edge there is background, as in the quiet zone. */
export function blocksOf(raster: Raster): Blocks {
  const strips = stripsOf(raster)
  return inRuns(strips, EDGE, 1, (at, [into], to) => {
    writeSpectrum(into as Float32Array, to, (index) => {
      const strip = strips[at + (index >> 3)] as number
      return ((strip >>> (DEPTH * (7 - (index & 7)))) & FULL) / FULL
    })
  })
}

/** The same of a picture in colors. Beyond its edges it goes on as it ends; transparent is `background`. */
export function colourBlocksOf(pixels: Pixels, background: Rgb): Blocks {
  const words = wordsOf(pixels, background)
  return inRuns(words, AREA, 3, (at, into, to) => {
    for (const [component, spectrum] of into.entries()) {
      const [red, green, blue, base] = components[component] as Weights
      writeSpectrum(spectrum, to, (index) => {
        const word = words[at + index] as number
        return red * (word & 255) + green * ((word >> 8) & 255) + blue * ((word >> 16) & 255) + base
      })
    }
  })
}

type Weights = readonly [red: number, green: number, blue: number, base: number]

/** JFIF §"Conversion to and from RGB": Y, Cb, Cr around zero. */
export const components: readonly [Weights, Weights, Weights] = [
  [0.299, 0.587, 0.114, -128],
  [-0.168736, -0.331264, 0.5, 0],
  [0.5, -0.418688, -0.081312, 0],
]

/** Adds the spectra of the block at an index of the units to each plane, from `to` on. */
type WriteSpectra = (at: number, spectra: Float32Array[], to: number) => void

/** The blocks' runs; a block has `each` of the units. */
function inRuns(units: Int32Array, each: number, planes: number, write: WriteSpectra): Blocks {
  let spectra = Array.from({ length: planes }, () => new Float32Array(64 * AREA))
  /** By hash: where the first block of each kind is */
  const known = new Map<number, { at: number; kind: number }[]>()
  let count = 0
  /** The kind of the block that begins at this index. */
  const kindAt = (at: number) => {
    const hash = hashOf(units, at, each)
    const alike = known.get(hash)
    const same = alike?.find((one) => isSame(units, one.at, at, each))
    if (same) return same.kind
    const kind = count++
    if (kind * AREA === spectra[0]?.length) spectra = spectra.map(twiceAsLong)
    write(at, spectra, kind * AREA)
    if (alike) alike.push({ at, kind })
    else known.set(hash, [{ at, kind }])
    return kind
  }
  const kinds = [kindAt(0)]
  const lengths = [1]
  for (let at = each; at < units.length; at += each) {
    if (isSame(units, at, at - each, each)) {
      lengths[lengths.length - 1] = (lengths[lengths.length - 1] as number) + 1
    } else {
      kinds.push(kindAt(at))
      lengths.push(1)
    }
  }
  return { kinds, lengths, spectra: spectra.map((plane) => plane.subarray(0, count * AREA)) }
}

function twiceAsLong(values: Float32Array): Float32Array<ArrayBuffer> {
  const larger = new Float32Array(2 * values.length)
  larger.set(values)
  return larger
}

function hashOf(units: Int32Array, at: number, each: number): number {
  let hash = 0
  for (let unit = at; unit < at + each; unit++) {
    hash = Math.imul((hash ^ (units[unit] as number)) + 1, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  return hash
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

/** All pixels of the picture, the 64 of a block together, as red, green and blue in one number. */
function wordsOf({ width, height, data }: Pixels, [red, green, blue]: Rgb): Int32Array {
  const [across, down] = [Math.ceil(width / EDGE), Math.ceil(height / EDGE)]
  const words = new Int32Array(across * down * AREA)
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const over = (word: number, shift: number, below: number) => {
    const alpha = word >>> 24
    return Math.round((((word >>> shift) & 255) * alpha + below * (255 - alpha)) / 255)
  }
  let to = 0
  for (let block = 0; block < across * down; block++) {
    const [left, top] = [(block % across) * EDGE, Math.floor(block / across) * EDGE]
    for (let row = 0; row < EDGE; row++) {
      const line = Math.min(height - 1, top + row) * width
      for (let column = 0; column < EDGE; column++) {
        const word = source[line + Math.min(width - 1, left + column)] as number
        words[to++] =
          word >>> 24 === 255
            ? word & 0xffffff
            : over(word, 0, red) | (over(word, 8, green) << 8) | (over(word, 16, blue) << 16)
      }
    }
  }
  return words
}

function isSame(units: Int32Array, one: number, other: number, each: number): boolean {
  for (let at = 0; at < each; at++) if (units[one + at] !== units[other + at]) return false
  return true
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

const values = new Float32Array(AREA)

function writeSpectrum(into: Float32Array, to: number, pixelAt: (index: number) => number) {
  for (let at = 0; at < AREA; at++) values[at] = pixelAt(at)
  for (let y = 0; y < EDGE; y++) dct(values, y * EDGE, 1)
  for (let x = 0; x < EDGE; x++) dct(values, x, EDGE)
  for (let at = 0; at < AREA; at++) into[to + at] = values[zigzag[at] as number] as number
}

/** Half cosines of k·π/16, and the root of an eighth: the orthonormal DCT-II of length 8. */
const [C1, C2, C3, C5, C6, C7] = [1, 2, 3, 5, 6, 7].map(
  (k) => Math.cos((k * Math.PI) / 16) / 2,
) as [number, number, number, number, number, number]
const R = Math.sqrt(1 / 8)

/**
 * One dimension of the forward DCT (ITU-T T.81 §A.3.3). Replaces eight of the values, at `start` and
 * then every `step`, by their eight coefficients. All rows and then all columns make a block's DCT.
 */
export function dct(values: Float32Array, start: number, step: number): void {
  const at = (index: number) => values[start + index * step] as number
  const [a0, a1, a2, a3] = [at(0) + at(7), at(1) + at(6), at(2) + at(5), at(3) + at(4)]
  const [b0, b1, b2, b3] = [at(0) - at(7), at(1) - at(6), at(2) - at(5), at(3) - at(4)]
  const [even, odd] = [a0 + a3, a1 + a2]
  values[start] = R * (even + odd)
  values[start + 4 * step] = R * (even - odd)
  values[start + 2 * step] = C2 * (a0 - a3) + C6 * (a1 - a2)
  values[start + 6 * step] = C6 * (a0 - a3) - C2 * (a1 - a2)
  values[start + step] = C1 * b0 + C3 * b1 + C5 * b2 + C7 * b3
  values[start + 3 * step] = C3 * b0 - C7 * b1 - C1 * b2 - C5 * b3
  values[start + 5 * step] = C5 * b0 - C1 * b1 + C7 * b2 + C3 * b3
  values[start + 7 * step] = C7 * b0 - C5 * b1 + C3 * b2 - C1 * b3
}
