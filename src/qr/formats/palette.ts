import type { Pixels } from './pixels.ts'
import { packRow, strideOf } from './png.ts'

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
  const colours = new Int32Array(COLOURS_MAX)
  /** One more than the number, 0 if there is none; found by a part of the color's product with a large odd number */
  const places = new Int16Array(PLACES)
  let count = 0
  /** The color's number, which is new if need be; -1 if all are taken. */
  const numberOf = (word: number) => {
    let place = Math.imul(word, 0x9e3779b1) >>> 22
    for (; places[place] !== 0; place = (place + 1) % PLACES) {
      const number = (places[place] as number) - 1
      if (colours[number] === word) return number
    }
    if (count === COLOURS_MAX) return -1
    colours[count] = word
    places[place] = count + 1
    return count++
  }
  let before = words[0] as number
  let number = numberOf(before)
  for (let y = 0; y < height; y++) {
    const from = y * width
    const to = y * (width + 1) + 1
    for (let x = 0; x < width; x++) {
      const word = words[from + x] as number
      if (word !== before) {
        before = word
        number = numberOf(word)
        if (number < 0) return undefined
      }
      numbers[to + x] = number
    }
  }
  const depth = depthOf(count)
  const rows = depth === 8 ? numbers : packed(numbers, width, height, depth)
  return { colours: colours.subarray(0, count), depth, rows }
}

const depthOf = (colours: number) => (colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8)

function packed(numbers: Uint8Array, width: number, height: number, depth: 1 | 2 | 4): Uint8Array {
  const stride = strideOf(width, depth)
  const bytes = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const from = y * (width + 1) + 1
    packRow(numbers.subarray(from, from + width), depth, bytes, y * stride + 1)
  }
  return bytes
}
