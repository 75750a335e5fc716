import { finderCoverage } from './finder-coverage.ts'
import { type Layout, layOut } from './layout.ts'
import { finders, isDark, type Matrix, withoutFinders } from './matrix.ts'
import type { Style } from './style.ts'
import { moduleTiles } from './tiles.ts'

/**
 * A square picture in shades, colours not yet chosen. A pixel is 0 (background) to `shades` - 1
 * (foreground). Rows that are alike may be one and the same array: do not write to them.
 */
export interface Raster {
  readonly size: number
  readonly shades: 2 | 16
  readonly rows: readonly Uint8Array[]
}

/** Shades at a rounded edge: as many as a 4-bit palette holds. */
const SHADES = 16

/**
 * Draws a symbol as exactly size × size pixels. Every module is a whole number of pixels wide; what
 * is left over widens the quiet zone evenly.
 *
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
  for (let y = start; y < end; y++) rows[y] = new Uint8Array(size)
  const body = withoutFinders(matrix)
  const tileOf = moduleTiles(module, SHADES)
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      blit(rows, tileOf(body, x, y), start + x * module, start + y * module)
    }
  }
  const finder = finderCoverage(module, SHADES)
  for (const { x, y } of finders(matrix)) {
    blit(rows, finder, start + x * module, start + y * module)
  }
  return { size, shades: SHADES, rows }
}

function blankRows(size: number): Uint8Array[] {
  return new Array<Uint8Array>(size).fill(new Uint8Array(size))
}

function blit(rows: Uint8Array[], tile: readonly Uint8Array[] | null, left: number, top: number) {
  tile?.forEach((tileRow, y) => {
    rows[top + y]?.set(tileRow, left)
  })
}
