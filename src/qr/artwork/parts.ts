import { alignmentCentres, type Matrix, withoutFinders } from '../symbol/matrix.ts'
import type { LogoPlace } from './artwork.ts'

/**
 * A symbol in the parts that are drawn each in its own way: the modules without finder patterns, whole
 * alignment patterns and what lies under the logo, and the centers of the alignment patterns that are whole.
 */
export function partsOf(matrix: Matrix, logo: LogoPlace | null) {
  const modules = withoutFinders(matrix)
  const isBlank = blankUnder(matrix.size, logo)
  const alignment = alignmentCentres(matrix.size).filter(({ x, y }) => !hasBlank(isBlank, x, y))
  for (let y = 0; y < matrix.size; y++) {
    for (let x = 0; x < matrix.size; x++) {
      if (isBlank(x, y)) modules.modules[y * matrix.size + x] = 0
    }
  }
  for (const { x, y } of alignment) {
    for (let row = y - 2; row <= y + 2; row++) {
      modules.modules.fill(0, row * matrix.size + x - 2, row * matrix.size + x + 3)
    }
  }
  return { modules, alignment }
}

/**
 * Which modules the logo's place takes: all that it touches, so that none is half covered. A round
 * place leaves the corners of its square to the code.
 */
export function blankUnder(
  size: number,
  logo: Pick<LogoPlace, 'size' | 'plate'> | null,
): (x: number, y: number) => boolean {
  if (logo === null) return () => false
  const radius = logo.size / 2 - TINY
  /** From the symbol's middle to the nearest point of the module, along one axis. */
  const near = (at: number) => Math.max(0, Math.abs(at + 0.5 - size / 2) - 0.5)
  if (logo.plate !== 'round') return (x, y) => Math.max(near(x), near(y)) < radius
  return (x, y) => Math.hypot(near(x), near(y)) < radius
}

/** Lengths are sums of halves: this is far below any, and above what they are off by. */
const TINY = 1e-6

function hasBlank(isBlank: (x: number, y: number) => boolean, x: number, y: number): boolean {
  for (let row = y - 2; row <= y + 2; row++) {
    for (let column = x - 2; column <= x + 2; column++) if (isBlank(column, row)) return true
  }
  return false
}
