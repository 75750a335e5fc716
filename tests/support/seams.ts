import { FINDER_SIZE, isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'
import { finderPlaces, type Place } from './geometry.ts'

type Line = { from: number; end: number }

/** The modules that a pixel touches along one axis; an edge a hundredth of a pixel away is touched too. */
function touched(pixel: number, { start, module }: Place): Line {
  const at = (position: number) => (position - start) / module
  return { from: Math.floor(at(pixel - 0.01)), end: Math.floor(at(pixel + 1.01)) + 1 }
}

/** 1 or 0 where a pixel touches only dark or only light modules of a classic symbol, else undefined. */
export function plainShade(place: Place, x: number, y: number): 0 | 1 | undefined {
  const [columns, rows] = [touched(x, place), touched(y, place)]
  const first = isDark(place.matrix, columns.from, rows.from)
  for (let row = rows.from; row < rows.end; row++) {
    for (let column = columns.from; column < columns.end; column++) {
      if (isDark(place.matrix, column, row) !== first) return undefined
    }
  }
  return first ? 1 : 0
}

/** Pixels on the middle of the edge between two dark modules, where a seam would show in any style. */
export function joints({ matrix, module, start }: Place): { x: number; y: number }[] {
  const pixel = (modules: number) => Math.floor(start + modules * module)
  const isJoined = (x: number, y: number) => isDark(matrix, x, y) && !isFinderCorner(matrix, x, y)
  return Array.from(matrix.modules, (_, at) => at).flatMap((at) => {
    const [x, y] = [at % matrix.size, Math.floor(at / matrix.size)]
    if (!isJoined(x, y)) return []
    return [
      ...(isJoined(x + 1, y) ? [{ x: pixel(x + 1), y: pixel(y + 0.5) }] : []),
      ...(isJoined(x, y + 1) ? [{ x: pixel(x + 0.5), y: pixel(y + 1) }] : []),
    ]
  })
}

/** The only dark modules that a curve cuts beyond their own quarters. */
function isFinderCorner(matrix: Matrix, x: number, y: number): boolean {
  const ends = [0, FINDER_SIZE - 1]
  return finderPlaces(matrix).some(
    ([left, top]) => ends.includes(x - left) && ends.includes(y - top),
  )
}
