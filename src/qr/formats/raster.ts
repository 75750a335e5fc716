import type { Style } from '../symbol/look.ts'
import { finders, isDark, type Matrix, withoutFinders } from '../symbol/matrix.ts'
import { type Layout, layOut } from './layout.ts'
import { finderCoverage, moduleTiles, type Tile } from './tiles.ts'

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
