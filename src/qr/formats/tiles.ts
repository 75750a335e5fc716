import { finderSquares, rounding } from '../symbol/look.ts'
import { FINDER_SIZE, isDark, type Matrix } from '../symbol/matrix.ts'

/** The four corners of a module, one bit each, and the neighbors that decide their shape. */
const corners = [
  { bit: 1, dx: -1, dy: -1 },
  { bit: 2, dx: 1, dy: -1 },
  { bit: 4, dx: -1, dy: 1 },
  { bit: 8, dx: 1, dy: 1 },
] as const
const DARK = 16

export type Tile = readonly Uint8Array[]

/**
 * Pictures of rounded modules. Each corner of a dark module is square or round, each corner of a light
 * one empty or filled in: at most 32 tiles, each drawn when it is first needed.
 *
 * @param module edge of a module in pixels
 * @param shades number of shades, see `Raster`
 * @returns the picture of the module in column x, row y; null if it is empty
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
    // How far the pixel lies from the circle's center towards the corner, along each axis.
    const outX = radius - (right ? module - x : x)
    const outY = radius - (below ? module - y : y)
    if (outX <= 0 || outY <= 0) return dark ? 1 : 0
    const beyond = Math.sqrt(outX * outX + outY * outY) - radius
    return dark ? coverage(beyond) : coverage(-beyond)
  })
}

/**
 * A rounded finder pattern: 7 × 7 modules.
 *
 * @param module edge of a module in pixels
 * @param shades number of shades, see `Raster`
 */
export function finderCoverage(module: number, shades: number): Uint8Array[] {
  const edge = FINDER_SIZE * module
  const centre = edge / 2
  const near = Math.ceil(centre)
  const quarter = block(near, shades, (x, y) => coverageFrom(centre - x, centre - y, module))
  return Array.from({ length: edge }, (_, y) => {
    const row = new Uint8Array(edge)
    row.set(quarter[Math.min(y, edge - 1 - y)] as Uint8Array)
    for (let x = near; x < edge; x++) row[x] = row[edge - 1 - x] as number
    return row
  })
}

/** Share covered of the pixel x, y away from the finder's center; neither is negative. */
function coverageFrom(x: number, y: number, module: number): number {
  let sum = 0
  for (const { edge, radius, dark } of finderSquares) {
    const share = coverage(toSquare(x, y, (edge * module) / 2, radius * module))
    sum += dark ? share : -share
  }
  return sum
}

/**
 * Distance from a point to a rounded square around the origin, negative inside; `half` is half the
 * square's edge.
 */
function toSquare(x: number, y: number, half: number, radius: number): number {
  const pastX = x - half + radius
  const pastY = y - half + radius
  if (pastX <= 0 || pastY <= 0) return Math.max(pastX, pastY) - radius
  return Math.sqrt(pastX * pastX + pastY * pastY) - radius
}

/**
 * The share of a pixel that a shape covers, 0 to 1, by the distance in pixels from the pixel's center
 * to the shape's edge, which is negative inside. Exact for straight edges on the pixel grid, within
 * a few hundredths for circles of two pixels radius and more.
 */
function coverage(distance: number): number {
  return Math.min(1, Math.max(0, 0.5 - distance))
}

/**
 * A square block of pixels, as rows of shades.
 *
 * @param edge in pixels
 * @param shades number of shades: coverage 0 becomes 0, coverage 1 becomes shades - 1
 * @param coverageAt share covered of the pixel whose center is at x, y
 */
function block(
  edge: number,
  shades: number,
  coverageAt: (x: number, y: number) => number,
): Uint8Array[] {
  return Array.from({ length: edge }, (_, y) => {
    const row = new Uint8Array(edge)
    for (let x = 0; x < edge; x++) {
      row[x] = Math.round(coverageAt(x + 0.5, y + 0.5) * (shades - 1))
    }
    return row
  })
}
