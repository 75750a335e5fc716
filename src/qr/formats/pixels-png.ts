import { concat, type Deflate, uint32 } from './bytes.ts'
import type { Pixels } from './pixels.ts'
import { chunk, density, SIGNATURE } from './png.ts'

export interface PixelsPngOptions {
  readonly deflate: Deflate
  /** Width in print in millimetres; without it 300 dots an inch */
  readonly printSize?: number | undefined
}

const TRUECOLOUR = 2
const PALETTE = 3
const TRUECOLOUR_ALPHA = 6
const COLOURS_MAX = 256

/** §9.2: a row as what it differs from the row above it. */
const UP = 2

/**
 * Any picture as PNG: a palette where it has at most 256 colours, otherwise three or four bytes a
 * pixel. Section numbers are those of the W3C's PNG specification, third edition.
 */
export async function pixelsPng(
  pixels: Pixels,
  { deflate, printSize }: PixelsPngOptions,
): Promise<Uint8Array> {
  const words = new Uint32Array(pixels.data.buffer)
  const colours = coloursOf(words)
  const isOpaque = colours ? opaque(Uint32Array.from(colours.keys())) : opaque(words)
  const [type, lines] = colours
    ? [PALETTE, indexed(pixels, words, colours)]
    : isOpaque
      ? [TRUECOLOUR, differences(pixels, 3)]
      : [TRUECOLOUR_ALPHA, differences(pixels, 4)]
  const palette = colours ? Uint8Array.from([...colours.keys()].flatMap(rgbOf)) : undefined
  const alphas = colours && Uint8Array.from(colours.keys(), (word) => word >>> 24)
  return concat([
    SIGNATURE,
    chunk(
      'IHDR',
      concat([
        uint32(pixels.width),
        uint32(pixels.height),
        Uint8Array.of(colours ? depthOf(colours.size) : 8, type, 0, 0, 0),
      ]),
    ),
    ...(palette ? [chunk('PLTE', palette)] : []),
    ...(alphas && !isOpaque ? [chunk('tRNS', alphas)] : []),
    chunk('pHYs', density(pixels.width, printSize)),
    chunk('IDAT', await deflate(lines)),
    chunk('IEND', new Uint8Array()),
  ])
}

/** Each colour's number, in the order in which they appear; undefined where there are too many. */
function coloursOf(words: Uint32Array): Map<number, number> | undefined {
  const colours = new Map<number, number>()
  let before: number | undefined
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as number
    if (word === before) continue
    before = word
    if (colours.has(word)) continue
    if (colours.size === COLOURS_MAX) return undefined
    colours.set(word, colours.size)
  }
  return colours
}

const opaque = (words: Uint32Array) => words.every((word) => word >>> 24 === 0xff)

const rgbOf = (word: number) => [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff]

const depthOf = (colours: number) => (colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8)

/** §7.2: each row after a filter byte of 0; the leftmost pixel in the highest bits. */
function indexed(
  { width, height }: Pixels,
  words: Uint32Array,
  colours: ReadonlyMap<number, number>,
): Uint8Array {
  const depth = depthOf(colours.size)
  const stride = 1 + Math.ceil((width * depth) / 8)
  const bytes = new Uint8Array(stride * height)
  let [before, number] = [words[0] as number, 0]
  for (let y = 0; y < height; y++) {
    let at = y * stride + 1
    let bits = 0
    let byte = 0
    for (let x = 0; x < width; x++) {
      const word = words[y * width + x] as number
      if (word !== before) {
        before = word
        number = colours.get(word) as number
      }
      byte = (byte << depth) | number
      bits += depth
      if (bits === 8) {
        bytes[at++] = byte
        bits = 0
        byte = 0
      }
    }
    if (bits > 0) bytes[at] = byte << (8 - bits)
  }
  return bytes
}

function differences({ width, height, data }: Pixels, channels: 3 | 4): Uint8Array {
  const stride = 1 + width * channels
  const bytes = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    let to = y * stride
    bytes[to++] = UP
    let from = 4 * y * width
    const above = from - 4 * width
    for (let x = 0; x < width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        const up = y > 0 ? (data[above + 4 * x + channel] as number) : 0
        bytes[to++] = (data[from + channel] as number) - up
      }
      from += 4
    }
  }
  return bytes
}
