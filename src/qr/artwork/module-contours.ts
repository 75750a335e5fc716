import { box, type Contour, trace } from '../formats/outline.ts'
import { rounding } from '../symbol/look.ts'
import { isDark, type Matrix } from '../symbol/matrix.ts'
import type { ModuleShape } from './artwork.ts'

/** Radii of the corners of an outline that only softens them; in modules. */
const SOFT = { outer: 0.3, inner: 0 }
/** Between a dot or a bar and the edge of its module: neighbors do not touch, and small pictures are not pale. */
const GAP = 0.02
/** Half a diamond's diagonal: its tips touch those of its neighbors. */
const TIP = 0.58

/** The dark modules as closed contours, in modules from the symbol's top left. */
export function moduleContours(matrix: Matrix, shape: ModuleShape): Contour[] {
  switch (shape) {
    case 'square':
      return trace(matrix, rounding.classic)
    case 'rounded':
      return trace(matrix, SOFT)
    case 'connected':
      return trace(matrix, rounding.rounded)
    case 'dots':
      return runs(matrix).map(bar)
    case 'diamond':
      return runs(matrix).map(diamond)
    case 'horizontal':
      return runs(matrix, { dx: 1, dy: 0 }).map(bar)
    case 'vertical':
      return runs(matrix, { dx: 0, dy: 1 }).map(bar)
  }
}

/** A rectangle in modules from its top left. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Lines of dark modules that follow one another in a direction; without one, each module by itself. */
function runs(matrix: Matrix, direction?: { dx: 0 | 1; dy: 0 | 1 }): Box[] {
  const found: Box[] = []
  const { dx, dy } = direction ?? { dx: 0, dy: 0 }
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      if (!isDark(matrix, x, y)) continue
      if (direction && isDark(matrix, x - dx, y - dy)) continue
      let length = 1
      while (direction && isDark(matrix, x + length * dx, y + length * dy)) length++
      found.push({ x, y, width: dx ? length : 1, height: dy ? length : 1 })
    }
  }
  return found
}

/** With round ends; of a single module, a dot. */
const bar = ({ x, y, width, height }: Box): Contour =>
  box(x + GAP, y + GAP, width - 2 * GAP, height - 2 * GAP, 0.5 - GAP)

function diamond({ x, y }: Box): Contour {
  const [left, top] = [x + 0.5, y + 0.5]
  return [
    { x: left, y: top - TIP, radius: 0 },
    { x: left + TIP, y: top, radius: 0 },
    { x: left, y: top + TIP, radius: 0 },
    { x: left - TIP, y: top, radius: 0 },
  ]
}
