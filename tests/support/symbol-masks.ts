import QRCode from 'qrcode'
import type { Ecc } from '#qr/symbol/look.ts'
import { isDark, type Matrix } from '../../src/qr/symbol/matrix.ts'
import { formatPlaces, formats, maskOf, versionPlaces } from './symbol.ts'

/** Where a mask turns the module in row i, column j over (ISO/IEC 18004:2024 table 10). */
const masks: ((i: number, j: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
]

/** Modules that carry no data, as another encoder knows them: patterns, format and version. */
function patternModules({ size }: Matrix): Uint8Array {
  return QRCode.create('0', { version: (size - 17) / 4 }).modules.reservedBit
}

/** The same symbol with its data under another mask; all else is as it was. */
function turned(matrix: Matrix, mask: number): Matrix {
  const fixed = patternModules(matrix)
  const [before, after] = [masks[maskOf(matrix)], masks[mask]]
  const modules = matrix.modules.map((module, at) => {
    const [i, j] = [Math.floor(at / matrix.size), at % matrix.size]
    return fixed[at] || before?.(i, j) === after?.(i, j) ? module : 1 - module
  })
  return { size: matrix.size, modules }
}

/** The symbol under a mask as masks are judged: before format and version are written (§7.1). */
export function candidate(matrix: Matrix, mask: number): Matrix {
  const { size, modules } = turned(matrix, mask)
  const version = size < 45 ? [] : versionPlaces(size)
  const unwritten = [...formatPlaces(size), ...version, [[8, size - 8] as const]].flat()
  for (const [x, y] of unwritten) modules[y * size + x] = 0
  return { size, modules }
}

/** The symbol as it would be had the encoder taken this mask. */
export function withMask(matrix: Matrix, ecc: Ecc, mask: number): Matrix {
  const { size, modules } = turned(matrix, mask)
  for (const places of formatPlaces(size)) {
    places.forEach(([x, y], bit) => {
      modules[y * size + x] = ((formats[ecc][mask] as number) >> bit) & 1
    })
  }
  return { size, modules }
}

/** The codewords of a version 1 symbol, unmasked, as §7.7.3 places them: up and down in pairs of columns. */
export function codewords(matrix: Matrix): number[] {
  const fixed = patternModules(matrix)
  const mask = masks[maskOf(matrix)]
  const bits: number[] = []
  const columns = [20, 18, 16, 14, 12, 10, 8, 5, 3, 1]
  columns.forEach((right, index) => {
    for (let step = 0; step < 21; step++) {
      const y = index % 2 ? step : 20 - step
      for (const x of [right, right - 1]) {
        if (!fixed[y * 21 + x]) bits.push(Number(isDark(matrix, x, y) !== mask?.(y, x)))
      }
    }
  })
  return Array.from({ length: 26 }, (_, word) =>
    bits.slice(8 * word, 8 * word + 8).reduce((value, bit) => value * 2 + bit, 0),
  )
}
