import type { Colours } from '../symbol/look.ts'
import { Differences } from './differences.ts'
import { indexed } from './palette.ts'
import type { Pixels } from './pixels.ts'
import { chunk, PALETTE, type PngOptions, pngOf } from './png.ts'

export type PixelsPngOptions = Omit<PngOptions, keyof Colours>

const TRUECOLOUR = 2
const TRUECOLOUR_ALPHA = 6

/**
 * Any picture as PNG: a palette if it has at most 256 colors, otherwise three or four bytes a
 * pixel. Section numbers are those of the W3C's PNG specification, third edition.
 *
 * @param deflate compresses a picture of few colors
 */
export async function pixelsPng(
  pixels: Pixels,
  { deflate, printSize }: PixelsPngOptions,
): Promise<Uint8Array> {
  const few = indexed(pixels)
  const words = new Int32Array(pixels.data.buffer)
  const shape = { ...pixels, printSize }
  if (!few) return manyColoursPng({ ...shape, isOpaque: isOpaque(words) }, [words])
  const { depth, colours, rows } = few
  return pngOf({ ...shape, depth, type: PALETTE }, paletteChunks(colours), await deflate(rows))
}

/** A picture's properties, without its pixels. */
export interface Shape {
  readonly width: number
  readonly height: number
  /** Whether no pixel is transparent: then the pixels' last byte is left out */
  readonly isOpaque: boolean
  readonly printSize?: number | undefined
}

/**
 * A picture of any colors as PNG.
 *
 * @param bands its pixels, each four bytes, red first; some whole rows at a time
 */
export function manyColoursPng(shape: Shape, bands: Iterable<Int32Array>): Uint8Array {
  const differences = new Differences(shape.width, shape.isOpaque ? 3 : 4)
  for (const band of bands) differences.add(band)
  const type = shape.isOpaque ? TRUECOLOUR : TRUECOLOUR_ALPHA
  return pngOf({ ...shape, depth: 8, type }, [], differences.end())
}

/** §11.2.2 and §11.3.1.1 */
function paletteChunks(colours: Int32Array): Uint8Array[] {
  const rgb = Uint8Array.from([...colours].flatMap(rgbOf))
  const alphas = Uint8Array.from(colours, (word) => word >>> 24)
  return [chunk('PLTE', rgb), ...(isOpaque(colours) ? [] : [chunk('tRNS', alphas)])]
}

const rgbOf = (word: number) => [word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff]

/** The highest byte is how opaque a pixel is. Four pixels a step: it is a third of the time of one by one. */
function isOpaque(words: Int32Array): boolean {
  let all = -1
  let at = 0
  for (; at + 4 <= words.length; at += 4) {
    all &=
      (words[at] as number) &
      (words[at + 1] as number) &
      (words[at + 2] as number) &
      (words[at + 3] as number)
  }
  for (; at < words.length; at++) all &= words[at] as number
  return all >>> 24 === 0xff
}
