import type { Pixels } from '../formats/pixels.ts'

/** A photo in grey: sRGB values from 0 to 255, row by row. */
export type Grey = { width: number; height: number; data: Uint8Array }

/** A photo that is smaller than this is not measured: there is nothing to see in it. */
export const MEASURED_MIN = 16

/** By Rec. 709's weights of the sRGB values, as a person sees about how light a pixel is. */
export function greyOf({ width, height, data }: Pixels): Grey {
  const grey = new Uint8Array(width * height)
  for (let at = 0; at < grey.length; at++) {
    const [red, green, blue] = [data[4 * at], data[4 * at + 1], data[4 * at + 2]]
    grey[at] = Math.round(
      0.2126 * (red as number) + 0.7152 * (green as number) + 0.0722 * (blue as number),
    )
  }
  return { width, height, data: grey }
}

/** The grey below which this share of a photo is, 0 to 255. */
export function quantile({ data }: Grey, share: number): number {
  const counts = new Uint32Array(256)
  for (const value of data) counts[value] = (counts[value] as number) + 1
  let left = share * data.length
  return counts.findIndex((count) => {
    left -= count
    return left <= 0
  })
}

/** A square part of a photo, and what its greys are like. */
export type Block = {
  x: number
  y: number
  /** Lightest less darkest */
  range: number
  darkest: number
  /** The largest step between two pixels side by side or one above the other */
  step: number
}

/** The photo in squares of `size` pixels; what is left at its right and bottom edges is left out. */
export function blocksOf({ width, height, data }: Grey, size: number): Block[] {
  const blocks: Block[] = []
  for (let y = 0; y + size <= height; y += size) {
    for (let x = 0; x + size <= width; x += size) {
      blocks.push({ x, y, ...measured(data, width, { x, y, size }) })
    }
  }
  return blocks
}

function measured(
  data: Uint8Array,
  width: number,
  { x, y, size }: { x: number; y: number; size: number },
) {
  let [lightest, darkest, step] = [0, 255, 0]
  // An edge between two blocks is in both: each begins one pixel earlier.
  const [left, top] = [Math.max(0, x - 1), Math.max(0, y - 1)]
  for (let row = top; row < y + size; row++) {
    for (let column = left; column < x + size; column++) {
      const at = row * width + column
      const value = data[at] as number
      if (value > lightest) lightest = value
      if (value < darkest) darkest = value
      if (column > left) step = Math.max(step, Math.abs(value - (data[at - 1] as number)))
      if (row > top) step = Math.max(step, Math.abs(value - (data[at - width] as number)))
    }
  }
  return { range: lightest - darkest, darkest, step }
}
