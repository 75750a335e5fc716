import { isDark, type Matrix } from '../symbol/matrix.ts'
import { rounding } from '../symbol/style.ts'
import { block, coverage } from './coverage.ts'

/** The four corners of a module, one bit each, and the neighbours that decide their shape. */
const corners = [
  { bit: 1, dx: -1, dy: -1 },
  { bit: 2, dx: 1, dy: -1 },
  { bit: 4, dx: -1, dy: 1 },
  { bit: 8, dx: 1, dy: 1 },
] as const
const DARK = 16

export type Tile = readonly Uint8Array[]

/**
 * Pictures of rounded modules. A dark module has each corner square or round, a light one has each
 * empty or filled in: 32 tiles at most, each drawn when first needed.
 *
 * @param module edge of a module in pixels
 * @returns the picture of the module in column x, row y; null where nothing is to be drawn
 */
export function moduleTiles(module: number, shades: number) {
  const tiles = new Map<number, Tile>()
  return (matrix: Matrix, x: number, y: number): Tile | null => {
    const shape = shapeOf(matrix, x, y)
    if (shape === 0) return null
    const known = tiles.get(shape)
    if (known) return known
    const tile = draw(shape, module, shades)
    tiles.set(shape, tile)
    return tile
  }
}

/** The same rule as the outline's: see `outline.ts`. */
function shapeOf(matrix: Matrix, x: number, y: number): number {
  const dark = isDark(matrix, x, y)
  let shape = dark ? DARK : 0
  for (const { bit, dx, dy } of corners) {
    const beside = isDark(matrix, x + dx, y)
    const above = isDark(matrix, x, y + dy)
    const changed = dark ? !beside && !above : beside && above && isDark(matrix, x + dx, y + dy)
    if (changed) shape |= bit
  }
  return shape
}

function draw(shape: number, module: number, shades: number): Tile {
  const dark = (shape & DARK) !== 0
  const radius = module * (dark ? rounding.rounded.outer : rounding.rounded.inner)
  return block(module, shades, (x, y) => {
    const right = x * 2 > module
    const below = y * 2 > module
    const bit = (right ? 2 : 1) * (below ? 4 : 1)
    if (!(shape & bit)) return dark ? 1 : 0
    // How far the pixel lies from the circle's centre towards the corner, along each axis.
    const outX = radius - (right ? module - x : x)
    const outY = radius - (below ? module - y : y)
    if (outX <= 0 || outY <= 0) return dark ? 1 : 0
    const beyond = Math.sqrt(outX * outX + outY * outY) - radius
    return dark ? coverage(beyond) : coverage(-beyond)
  })
}
