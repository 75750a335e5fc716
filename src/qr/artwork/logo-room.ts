import { codeWordsOf, FUNCTION } from '../symbol/code-words.ts'
import type { Ecc } from '../symbol/look.ts'
import { FINDER_SIZE } from '../symbol/matrix.ts'
import { LOGO_SIZE, type LogoPlace } from './artwork.ts'
import { blankUnder } from './parts.ts'

/** Share of what the correction repairs that a logo leaves for dirt, wear and glare. */
export const RESERVE = 1 / 3

/** The cost of a logo's place. */
export interface LogoCost {
  /** Share of what the correction repairs that the place takes, in the block that it takes most of; above 1 the code is lost */
  readonly taken: number
  /** It touches a finder pattern, the format, the version or the last alignment pattern, which nothing repairs */
  readonly touchesPattern: boolean
}

/**
 * The cost of a place in the middle: each code word that has a module under it counts as wrong.
 *
 * @param size of the symbol, in modules an edge
 */
export function logoCost(
  size: number,
  ecc: Ecc,
  place: Pick<LogoPlace, 'size' | 'plate'>,
): LogoCost {
  const { wordAt, blockOf, blocks, repairs } = codeWordsOf(size, ecc)
  const isBlank = blankUnder(size, place)
  const lost = new Set<number>()
  let touchesPattern = false
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!isBlank(x, y)) continue
      const word = wordAt[y * size + x] as number
      if (word >= 0) lost.add(word)
      else if (word === FUNCTION && isNeeded(size, x, y)) touchesPattern = true
    }
  }
  const each = new Array<number>(blocks).fill(0)
  for (const word of lost) {
    const block = blockOf[word] as number
    each[block] = (each[block] as number) + 1
  }
  return { taken: Math.max(...each) / repairs, touchesPattern }
}

/**
 * Decoders find a symbol by its corners, the alignment pattern near the fourth corner among them.
 * They can do without the other alignment patterns and without parts of the timing pattern.
 */
function isNeeded(size: number, x: number, y: number): boolean {
  const near = FINDER_SIZE + 2
  const far = size - near
  const inCorner = (x < near && y < near) || (x >= far && y < near) || (x < near && y >= far)
  const inVersion = (y < 6 && x >= size - 11) || (x < 6 && y >= size - 11)
  return inCorner || inVersion || (x >= far && y >= far)
}

/**
 * The largest place for a logo whose cost leaves the reserve; 0 if not even the smallest does.
 */
export function largestLogo(size: number, ecc: Ecc, plate: LogoPlace['plate']): number {
  const key = `${size} ${ecc} ${plate}`
  const known = largest.get(key)
  if (known !== undefined) return known
  let found = 0
  for (let edge: number = LOGO_SIZE.min; edge <= LOGO_SIZE.max && edge < size; edge++) {
    const { taken, touchesPattern } = logoCost(size, ecc, { size: edge, plate })
    if (touchesPattern || taken > 1 - RESERVE) break
    found = edge
  }
  largest.set(key, found)
  return found
}

/** 40 versions, 4 levels, 3 plates: never more entries. */
const largest = new Map<string, number>()
