import { finderSquares, type Rounding, rounding, type Style } from '../symbol/look.ts'
import { FINDER_SIZE, finders, isDark, type Matrix, withoutFinders } from '../symbol/matrix.ts'

/** Where an outline turns by 90°. All in modules; x and y from the symbol's top left. */
export interface Corner {
  readonly x: number
  readonly y: number
  readonly radius: number
}

/** A closed line of horizontal and vertical edges. The dark side is on the right of its direction. */
export type Contour = readonly Corner[]

const RIGHT = 0
/** Steps of the four directions, clockwise from RIGHT, y down. */
const steps = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const

/**
 * The dark area of a symbol as closed contours without seams between modules. The contours of holes
 * run the other way round, so the nonzero and the even-odd rule fill the same area.
 */
export function outline(matrix: Matrix, style: Style): Contour[] {
  if (style === 'classic') return trace(matrix, rounding.classic)
  const eyes = finders(matrix).flatMap(({ x, y }) => finderContours(x, y))
  return [...eyes, ...trace(withoutFinders(matrix), rounding.rounded)]
}

function finderContours(left: number, top: number): Contour[] {
  return finderSquares.map(({ edge, radius, dark }) => {
    const near = (FINDER_SIZE - edge) / 2
    const line = box(left + near, top + near, edge, edge, radius)
    return dark ? line : line.toReversed()
  })
}

/** A rectangle, clockwise from its top left; one radius for all corners, or one for each. */
export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number | readonly [number, number, number, number] = 0,
): Contour {
  const radii = typeof radius === 'number' ? [radius, radius, radius, radius] : radius
  return [
    { x, y, radius: radii[0] as number },
    { x: x + width, y, radius: radii[1] as number },
    { x: x + width, y: y + height, radius: radii[2] as number },
    { x, y: y + height, radius: radii[3] as number },
  ]
}

/** Every contour has an edge that runs right, on top of a dark module: the search looks for those. */
export function trace(matrix: Matrix, radii: Rounding): Contour[] {
  const traced = new Uint8Array(matrix.modules.length)
  const contours: Contour[] = []
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      const startsHere = isDark(matrix, x, y) && !isDark(matrix, x, y - 1)
      if (startsHere && !traced[y * matrix.size + x])
        contours.push(follow(matrix, radii, traced, x, y))
    }
  }
  return contours
}

/**
 * Follows one contour from the vertex at the top left of a dark module. Where two dark modules touch
 * only diagonally, it turns right and stays at its own module, so that the two are separate.
 */
function follow(
  matrix: Matrix,
  radii: Rounding,
  traced: Uint8Array,
  startX: number,
  startY: number,
) {
  const corners: Corner[] = []
  let [x, y, direction] = [startX, startY, RIGHT]
  do {
    if (direction === RIGHT) traced[y * matrix.size + x] = 1
    const [dx, dy] = steps[direction as 0 | 1 | 2 | 3]
    x += dx
    y += dy
    // The two modules beyond the vertex; a vertex is the top left of the module with its number.
    const ahead = { x: x + (dx - 1) / 2, y: y + (dy - 1) / 2 }
    const onRight = isDark(matrix, ahead.x - dy / 2, ahead.y + dx / 2)
    const onLeft = isDark(matrix, ahead.x + dy / 2, ahead.y - dx / 2)
    if (!onRight) {
      corners.push({ x, y, radius: radii.outer })
      direction = (direction + 1) % 4
    } else if (onLeft) {
      corners.push({ x, y, radius: radii.inner })
      direction = (direction + 3) % 4
    }
  } while (x !== startX || y !== startY || direction !== RIGHT)
  return corners
}

/** Draws one closed line; coordinates are absolute, in modules from the symbol's top left. */
export interface Pen {
  move(x: number, y: number): void
  line(x: number, y: number): void
  /** A cubic Bézier curve (SVG 1.1, §8.3.6). */
  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void
  /** A quarter circle from where the pen is to x, y; `corner` is where its two tangents meet. */
  arc(x: number, y: number, corner: Corner, clockwise: boolean): void
  close(): void
}

/** Moves a pen along a contour: straight edges, and a quarter circle at each corner with a radius. */
export function stroke(contour: Contour, pen: Pen): void {
  const last = contour[contour.length - 1] as Corner
  let before = last
  contour.forEach((corner, index) => {
    const after = contour[(index + 1) % contour.length] as Corner
    const [inX, inY] = [Math.sign(corner.x - before.x), Math.sign(corner.y - before.y)]
    const [outX, outY] = [Math.sign(after.x - corner.x), Math.sign(after.y - corner.y)]
    const { radius } = corner
    if (index === 0) pen.move(before.x + inX * before.radius, before.y + inY * before.radius)
    const edge = Math.abs(corner.x - before.x) + Math.abs(corner.y - before.y)
    if (edge > before.radius + radius) pen.line(corner.x - inX * radius, corner.y - inY * radius)
    if (radius > 0) {
      const clockwise = inX * outY - inY * outX > 0
      pen.arc(corner.x + outX * radius, corner.y + outY * radius, corner, clockwise)
    }
    before = corner
  })
  pen.close()
}
