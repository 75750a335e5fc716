import { FINDER_SIZE } from './matrix.ts'

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
