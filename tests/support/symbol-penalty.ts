import { isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'

/**
 * How badly a masked symbol suits a reader (ISO/IEC 18004:2024 §7.8.3, table 11): runs, blocks,
 * what looks like a finder pattern, and more dark than light or the reverse.
 */
export function penalty(matrix: Matrix): number {
  const edge = Array.from({ length: matrix.size }, (_, at) => at)
  const dark = (x: number, y: number) => (isDark(matrix, x, y) ? '1' : '0')
  const rows = edge.map((y) => edge.map((x) => dark(x, y)).join(''))
  const columns = edge.map((x) => edge.map((y) => dark(x, y)).join(''))
  const lines = [...rows, ...columns]
  return sum(lines.map(runs)) + sum(lines.map(falseFinders)) + blocks(rows) + imbalance(rows)
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

/** N1 = 3 for five modules of one colour in a line, and 1 for each more. */
function runs(line: string): number {
  return sum((line.match(/0{5,}|1{5,}/g) ?? []).map((run) => 3 + run.length - 5))
}

/** N3 = 40 for 1:1:3:1:1 in a line with four light modules before it, and as much with four behind. */
function falseFinders(line: string): number {
  return 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length
}

/** N2 = 3 for each 2 × 2 modules of one colour. */
function blocks(rows: string[]): number {
  const isBlock = (x: number, y: number) => {
    const corner = rows[y]?.[x]
    return [rows[y]?.[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x + 1]].every((one) => one === corner)
  }
  return 3 * sum(rows.map((row, y) => [...row].filter((_, x) => isBlock(x, y)).length))
}

/** N4 = 10 for each 5 % beyond 45 to 55 % dark, begun or whole. */
function imbalance(rows: string[]): number {
  const percent = (100 * rows.join('').replaceAll('0', '').length) / rows.length ** 2
  return 10 * Math.max(0, Math.ceil((Math.abs(percent - 50) - 5) / 5))
}
