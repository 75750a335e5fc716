import type { Style } from '../symbol/look.ts'
import {
  finders,
  fullSize,
  isDark,
  type Matrix,
  QUIET_ZONE,
  withoutFinders,
} from '../symbol/matrix.ts'
import { finderCoverage, moduleTiles, type Tile } from './tiles.ts'

/** Where a symbol sits in a square picture; all in pixels. */
export interface Layout {
  /** Edge of the picture */
  readonly size: number
  /** Edge of one module */
  readonly module: number
  /** First column and row of the symbol; at least the quiet zone's four modules */
  readonly start: number
}

/** The picture has too few pixels for the symbol. */
export class PictureTooSmall extends RangeError {
  override name = 'PictureTooSmall'

  /** @param smallest the least edge that works */
  constructor(size: number, smallest: number) {
    super(`${size} pixels aren’t enough for this QR code. It needs at least ${smallest}.`)
  }
}

/**
 * Places a symbol with the largest whole module that leaves a full quiet zone (ISO/IEC 18004:2024
 * §5.3.8).
 *
 * @param size edge of the picture, a positive whole number of pixels
 * @throws PictureTooSmall below one pixel a module; RangeError if the size is not a whole number
 */
function layOut(matrix: Matrix, size: number): Layout {
  if (!Number.isInteger(size)) throw new RangeError(`${size} is not a whole number of pixels`)
  const modules = fullSize(matrix)
  if (size < modules) throw new PictureTooSmall(size, modules)
  const module = Math.floor(size / modules)
  const spare = size - modules * module
  return { size, module, start: QUIET_ZONE * module + Math.floor(spare / 2) }
}

/**
 * A square picture in shades, without colors. A pixel is 0 (background) to `shades` - 1 (foreground).
 * Equal rows may be the same array: do not write to them.
 */
export interface Raster {
  readonly size: number
  readonly shades: 2 | 16
  readonly rows: readonly Uint8Array[]
}

/** Shades at a rounded edge: as many as a 4-bit palette holds. */
const SHADES = 16

/**
 * Draws a symbol as exactly size × size pixels. Every module is a whole number of pixels wide; the
 * remaining pixels widen the quiet zone evenly.
 *
 * @param size edge in pixels, a positive whole number
 * @throws PictureTooSmall below one pixel a module
 */
export function raster(matrix: Matrix, { style, size }: { style: Style; size: number }): Raster {
  const layout = layOut(matrix, size)
  return style === 'classic' ? classic(matrix, layout) : rounded(matrix, layout)
}

function classic(matrix: Matrix, { size, start, module }: Layout): Raster {
  const rows = blankRows(size)
  for (let y = 0; y < matrix.size; y++) {
    const row = new Uint8Array(size)
    for (let x = 0; x < matrix.size; x++) {
      if (isDark(matrix, x, y)) row.fill(1, start + x * module, start + (x + 1) * module)
    }
    rows.fill(row, start + y * module, start + (y + 1) * module)
  }
  return { size, shades: 2, rows }
}

function rounded(matrix: Matrix, { size, start, module }: Layout): Raster {
  const rows = blankRows(size)
  const end = start + matrix.size * module
  const pixels = new Uint8Array((end - start) * size)
  for (let y = start; y < end; y++) {
    rows[y] = pixels.subarray((y - start) * size, (y - start + 1) * size)
  }
  const body = withoutFinders(matrix)
  const { tileOf, finder } = stampsFor(module)
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      blit(rows, tileOf(body, x, y), start + x * module, start + y * module)
    }
  }
  for (const { x, y } of finders(matrix)) {
    blit(rows, finder, start + x * module, start + y * module)
  }
  return { size, shades: SHADES, rows }
}

/** At most 16 widths are kept, none above 32 pixels: 0.8 MB. The usual sizes need three. */
const STAMPS_KEPT = 16
const STAMP_MAX = 32
const kept = new Map<number, ReturnType<typeof makeStamps>>()

/** The parts of rounded symbols, drawn once for each width of a module in pixels. */
function stampsFor(module: number) {
  const known = kept.get(module)
  if (known) return known
  const made = makeStamps(module)
  if (module > STAMP_MAX) return made
  if (kept.size >= STAMPS_KEPT) kept.clear()
  kept.set(module, made)
  return made
}

const makeStamps = (module: number) => ({
  tileOf: moduleTiles(module, SHADES),
  finder: finderCoverage(module, SHADES),
})

function blankRows(size: number): Uint8Array[] {
  return new Array<Uint8Array>(size).fill(new Uint8Array(size))
}

function blit(rows: Uint8Array[], tile: Tile | null, left: number, top: number) {
  tile?.forEach((tileRow, y) => {
    rows[top + y]?.set(tileRow, left)
  })
}
