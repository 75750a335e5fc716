import type { Pen } from '#qr/formats/outline.ts'

/** The edges of a box that has all points of a closed line, handles of its curves included. */
export function boxOf(draw: (pen: Pen) => void) {
  const [xs, ys]: [number[], number[]] = [[], []]
  const add = (x: number, y: number) => {
    xs.push(x)
    ys.push(y)
  }
  draw({
    move: add,
    line: add,
    curve(x1, y1, x2, y2, x, y) {
      add(x1, y1)
      add(x2, y2)
      add(x, y)
    },
    arc(x, y, corner) {
      add(corner.x, corner.y)
      add(x, y)
    },
    close() {},
  })
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  return { left, right, top: Math.min(...ys), bottom: Math.max(...ys) }
}
