import { parseColour } from '../../src/qr/formats/colour.ts'
import { encode } from '../../src/qr/symbol/encode.ts'
import { FINDER_SIZE, fullSize, isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'
import type { Picture } from '../../src/server/pictures/pictures.ts'
import type { Pixels } from './pixels.ts'

/** Where a symbol is in its picture, in pixels: edge of a module, and the symbol's first column and row. */
export interface Place {
  readonly matrix: Matrix
  readonly module: number
  readonly start: number
}

/** PNG and JPEG have whole pixels a module and the rest around; SVG and PDF fill their size. */
export function placeOf(picture: Picture): Place {
  const matrix = encode(picture.text, picture)
  const edge = fullSize(matrix)
  if (picture.format === 'svg' || picture.format === 'pdf') {
    const module = picture.size / edge
    return { matrix, module, start: 4 * module }
  }
  const module = Math.floor(picture.size / edge)
  return { matrix, module, start: 4 * module + Math.floor((picture.size - module * edge) / 2) }
}

/** The picture that a classic symbol is, drawn a pixel at a time from where its centre lies. */
export function drawnByHand(picture: Picture): Pixels {
  const { size } = picture
  const { matrix, module, start } = placeOf(picture)
  const [light, dark] = [parseColour(picture.background), parseColour(picture.foreground)]
  const moduleAt = (pixel: number) => Math.floor((pixel + 0.5 - start) / module)
  const data = new Uint8Array(3 * size * size)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      data.set(isDark(matrix, moduleAt(x), moduleAt(y)) ? dark : light, 3 * (y * size + x))
    }
  }
  return { size, data }
}

/** Top left modules of the three finder patterns. */
export const finderPlaces = ({ size }: Matrix) =>
  [
    [0, 0],
    [size - FINDER_SIZE, 0],
    [0, size - FINDER_SIZE],
  ] as const
