import { expect, test } from 'vitest'
import { huffmanCode } from '#qr/formats/huffman.ts'

function countsOf(...pairs: [symbol: number, count: number][]): Int32Array {
  const counts = new Int32Array(256)
  for (const [symbol, count] of pairs) counts[symbol] = count
  return counts
}

/** Codes as text, by symbol. */
function spelled({ bits, sizes }: ReturnType<typeof huffmanCode>): Map<number, string> {
  const all = new Map<number, string>()
  sizes.forEach((size, symbol) => {
    if (size > 0) all.set(symbol, (bits[symbol] ?? 0).toString(2).padStart(size, '0'))
  })
  return all
}

test('the more often a symbol comes, the shorter its code', () => {
  const code = spelled(huffmanCode(countsOf([7, 100], [8, 40], [9, 5], [200, 4])))
  expect([...code]).toEqual([
    [7, '0'],
    [8, '10'],
    [9, '110'],
    [200, '1110'],
  ])
})

test('a lone symbol has a code of one bit, which is not all ones', () => {
  expect([...spelled(huffmanCode(countsOf([3, 12])))]).toEqual([[3, '0']])
})

test('no code is the beginning of another, and none is all ones', () => {
  const counts = Int32Array.from({ length: 256 }, (_, symbol) => ((symbol * 7919) % 251) ** 2)
  const codes = [...spelled(huffmanCode(counts)).values()]
  expect(codes).toHaveLength(counts.filter((count) => count > 0).length)
  for (const one of codes) {
    expect(one).toContain('0')
    expect(codes.filter((other) => other.startsWith(one))).toEqual([one])
  }
})

test('no code has more than 14 bits, however rare its symbol', () => {
  const fibonacci: [number, number][] = [
    [0, 1],
    [1, 1],
  ]
  for (let symbol = 2; symbol < 40; symbol++) {
    fibonacci.push([symbol, (fibonacci[symbol - 1]?.[1] ?? 0) + (fibonacci[symbol - 2]?.[1] ?? 0)])
  }
  const { lengths, symbols, sizes } = huffmanCode(countsOf(...fibonacci))
  expect(symbols).toHaveLength(40)
  expect(Math.max(...sizes)).toBe(14)
  expect(lengths.slice(14).every((count) => count === 0)).toBe(true)
  const share = lengths.reduce((sum, count, index) => sum + count / 2 ** (index + 1), 0)
  expect(share).toBeLessThan(1)
})
