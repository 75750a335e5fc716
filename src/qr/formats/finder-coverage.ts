import { FINDER_SIZE } from '../symbol/matrix.ts'
import { finderSquares } from '../symbol/style.ts'
import { block, coverage } from './coverage.ts'

/** A rounded finder pattern in pixels. `module` is the edge of a module in pixels. */
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

/** Share covered of the pixel x, y away from the finder's centre; neither is negative. */
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
