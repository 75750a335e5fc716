import type { Contour, Corner } from './outline.ts'

/** Draws one closed line; coordinates are absolute, in modules from the symbol's top left. */
export interface Pen {
  move(x: number, y: number): void
  line(x: number, y: number): void
  /** A quarter circle from where the pen is to x, y; `corner` is where its two tangents meet. */
  arc(x: number, y: number, corner: Corner, clockwise: boolean): void
  close(): void
}

/** Leads a pen along a contour: straight edges, and a quarter circle at each corner with a radius. */
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
