import type { Pixels } from './pixels.ts'

/** A picture as numbers of its colors. */
export interface Indexed {
  /** The colors in the order in which they appear, each as the four bytes of a pixel, red first */
  readonly colours: Int32Array
  readonly depth: 1 | 2 | 4 | 8
  /** Each row after a filter byte of 0; the leftmost pixel in the highest bits (W3C's PNG specification, §7.2) */
  readonly rows: Uint8Array
}

const COLOURS_MAX = 256
/** Places where a color's number may be: four for each, so that few share one. */
const PLACES = 4 * COLOURS_MAX

/** The picture in numbers; undefined if it has more than 256 colors. */
export function indexed({ width, height, data }: Pixels): Indexed | undefined {
  const words = new Int32Array(data.buffer)
  const numbers = new Uint8Array((width + 1) * height)
  const palette = new Palette()
  let before = words[0] as number
  let number = palette.numberOf(before)
  for (let y = 0; y < height; y++) {
    const from = y * width
    const to = y * (width + 1) + 1
    for (let x = 0; x < width; x++) {
      const word = words[from + x] as number
      if (word !== before) {
        before = word
        number = palette.numberOf(word)
        if (number < 0) return undefined
      }
      numbers[to + x] = number
    }
  }
  const colours = palette.colours()
  const depth = depthOf(colours.length)
  return { colours, depth, rows: depth === 8 ? numbers : packed(numbers, width, height, depth) }
}

const depthOf = (colours: number) => (colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8)

/** Colors and their numbers, found by a part of their product with a large odd number. */
class Palette {
  readonly #words = new Int32Array(COLOURS_MAX)
  /** One more than the number, 0 if there is none */
  readonly #places = new Int16Array(PLACES)
  #count = 0

  /** The color's number, which is new if need be; -1 if all are taken. */
  numberOf(word: number): number {
    let place = Math.imul(word, 0x9e3779b1) >>> 22
    for (;;) {
      const number = (this.#places[place] as number) - 1
      if (number < 0) return this.#add(word, place)
      if (this.#words[number] === word) return number
      place = (place + 1) % PLACES
    }
  }

  colours(): Int32Array {
    return this.#words.subarray(0, this.#count)
  }

  #add(word: number, place: number): number {
    if (this.#count === COLOURS_MAX) return -1
    this.#words[this.#count] = word
    this.#places[place] = this.#count + 1
    return this.#count++
  }
}

function packed(numbers: Uint8Array, width: number, height: number, depth: 1 | 2 | 4): Uint8Array {
  const each = 8 / depth
  const stride = 1 + Math.ceil(width / each)
  const bytes = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    let from = y * (width + 1) + 1
    const end = from + width
    for (let to = y * stride + 1; from < end; to++) {
      let byte = 0
      for (let shift = 8 - depth; shift >= 0 && from < end; shift -= depth) {
        byte |= (numbers[from++] as number) << shift
      }
      bytes[to] = byte
    }
  }
  return bytes
}
