/**
 * A QR symbol as modules, without its quiet zone.
 * `size` is 21 to 177 modules an edge; `modules` is row by row from the top left, 1 where dark.
 */
export interface Matrix {
  readonly size: number
  readonly modules: Uint8Array
}

/** Width in modules of the empty border that every symbol needs on all sides (ISO/IEC 18004:2024 §5.3.8). */
export const QUIET_ZONE = 4

/** Edge of a finder pattern in modules (ISO/IEC 18004:2024 §5.3.3). */
export const FINDER_SIZE = 7

/** Edge in modules of the symbol with its quiet zone. */
export function fullSize(matrix: Matrix): number {
  return matrix.size + 2 * QUIET_ZONE
}

/** Whether the module in column x, row y is dark; all modules outside the symbol are light. */
export function isDark({ size, modules }: Matrix, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < size && y < size && modules[y * size + x] === 1
}

/** The top left module of each finder pattern, in the order top left, top right, bottom left. */
export function finders({ size }: Matrix): { x: number; y: number }[] {
  const far = size - FINDER_SIZE
  return [
    { x: 0, y: 0 },
    { x: far, y: 0 },
    { x: 0, y: far },
  ]
}

/** The same symbol without its three finder patterns, for styles that draw each as one shape. */
export function withoutFinders(matrix: Matrix): Matrix {
  const modules = matrix.modules.slice()
  for (const finder of finders(matrix)) {
    for (let row = finder.y; row < finder.y + FINDER_SIZE; row++) {
      const start = row * matrix.size + finder.x
      modules.fill(0, start, start + FINDER_SIZE)
    }
  }
  return { size: matrix.size, modules }
}

/** Edge of the smallest symbol in modules; each version has four more. */
const SMALLEST = 17
/** Alignment patterns are centered on a grid that begins with the timing pattern's row and column. */
const FIRST = FINDER_SIZE - 1

/** Rows and columns of the centers of alignment patterns (ISO/IEC 18004:2024 §5.3.6, annex E). */
function alignmentRows(size: number): number[] {
  const version = (size - SMALLEST) / 4
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const last = size - FINDER_SIZE
  // Version 32 is the one whose step annex E does not round up.
  const step = version === 32 ? 26 : 2 * Math.ceil((last - FIRST) / (2 * (count - 1)))
  return Array.from({ length: count }, (_, index) =>
    index === 0 ? FIRST : last - (count - 1 - index) * step,
  )
}

/** The centers of a symbol's alignment patterns, except where finder patterns are. */
export function alignmentCentres(size: number): { x: number; y: number }[] {
  const rows = alignmentRows(size)
  const last = rows.length - 1
  return rows.flatMap((y, row) =>
    rows.flatMap((x, column) => {
      const isFinder =
        (row === 0 && (column === 0 || column === last)) || (row === last && column === 0)
      return isFinder ? [] : [{ x, y }]
    }),
  )
}
