import { isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'

/*
 * A symbol as people and readers see it. Clauses and tables are those of ISO/IEC 18004:2024; as
 * there, bit 0 is the least significant one.
 */

/** Two characters a module, so that a terminal shows it about square. */
export function textPicture(matrix: Matrix): string {
  const row = (y: number) =>
    Array.from({ length: matrix.size }, (_, x) => (isDark(matrix, x, y) ? '██' : '  ')).join('')
  return `\n${Array.from({ length: matrix.size }, (_, y) => row(y).trimEnd()).join('\n')}\n`
}

type Place = [x: number, y: number]

/** §7.9.1, figure 25: where bits 0 to 14 of the format information are, twice. */
export function formatPlaces(size: number): [Place[], Place[]] {
  const inTurn = [0, 1, 2, 3, 4, 5, 7, 8]
  const besideFinder: Place[] = [
    ...inTurn.map((y): Place => [8, y]),
    ...[7, 5, 4, 3, 2, 1, 0].map((x): Place => [x, 8]),
  ]
  const apart = Array.from({ length: 15 }, (_, bit): Place => {
    return bit < 8 ? [size - 1 - bit, 8] : [8, size - 15 + bit]
  })
  return [besideFinder, apart]
}

/** §7.10, figure 28: where bits 0 to 17 of the version information are, twice. */
export function versionPlaces(size: number): [Place[], Place[]] {
  const lowerLeft = Array.from({ length: 18 }, (_, bit): Place => {
    return [Math.floor(bit / 3), size - 11 + (bit % 3)]
  })
  return [lowerLeft, lowerLeft.map(([x, y]): Place => [y, x])]
}

/** The number that a symbol's modules carry at these places, from bit 0 up. */
export function bitsAt(matrix: Matrix, places: Place[]): number {
  return places.reduce((bits, [x, y], bit) => bits + Number(isDark(matrix, x, y)) * 2 ** bit, 0)
}

/** §7.9.1: the mask's number is in bits 10 to 12 of the format information, themselves masked. */
export function maskOf(matrix: Matrix): number {
  const [format] = formatPlaces(matrix.size)
  return ((bitsAt(matrix, format) ^ FORMAT_MASK) >> 10) & 7
}

const FORMAT_MASK = 0b101010000010010

/** Table C.1 as §7.9.1 masks it: the format information of each level with the masks 000 to 111. */
export const formats = {
  L: [0x77c4, 0x72f3, 0x7daa, 0x789d, 0x662f, 0x6318, 0x6c41, 0x6976],
  M: [0x5412, 0x5125, 0x5e7c, 0x5b4b, 0x45f9, 0x40ce, 0x4f97, 0x4aa0],
  Q: [0x355f, 0x3068, 0x3f31, 0x3a06, 0x24b4, 0x2183, 0x2eda, 0x2bed],
  H: [0x1689, 0x13be, 0x1ce7, 0x19d0, 0x0762, 0x0255, 0x0d0c, 0x083b],
} as const
