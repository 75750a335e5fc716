import { isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'

/** A symbol as people see it: two characters a module, so that a terminal shows it about square. */
export function textPicture(matrix: Matrix): string {
  const row = (y: number) =>
    Array.from({ length: matrix.size }, (_, x) => (isDark(matrix, x, y) ? '██' : '  ')).join('')
  return `\n${Array.from({ length: matrix.size }, (_, y) => row(y).trimEnd()).join('\n')}\n`
}

/** The number of its mask: bits 10 to 12 of the format information, which has a mask itself (ISO/IEC 18004:2024 §7.9.1). */
export function maskOf(matrix: Matrix): number {
  const bits = [2, 3, 4].map((x) => Number(isDark(matrix, x, 8))).join('')
  return Number.parseInt(bits, 2) ^ 0b101
}
