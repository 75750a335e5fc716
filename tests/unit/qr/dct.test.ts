import { expect, test } from 'vitest'
import { BitWriter } from '#qr/formats/bit-writer.ts'
import { dct } from '#qr/formats/jpeg-blocks.ts'

/** ITU-T T.81 §A.3.3, as it is written there. */
function byDefinition(values: readonly number[]): number[] {
  return values.map((_, u) => {
    const sum = values.reduce((total, value, x) => {
      return total + value * Math.cos(((2 * x + 1) * u * Math.PI) / 16)
    }, 0)
    return (sum * (u === 0 ? Math.SQRT1_2 : 1)) / 2
  })
}

test('the DCT of a row is that of its definition', () => {
  const row = [0, 0.2, 1, 1, 0.6, 0, 0, 1]
  const values = Float32Array.from(row)
  dct(values, 0, 1)
  byDefinition(row).forEach((expected, u) => {
    expect(values[u]).toBeCloseTo(expected, 6)
  })
})

test('a column is transformed in its place and leaves the others alone', () => {
  const column = [1, 0, 0, 0.5, 0, 0, 1, 1]
  const values = new Float32Array(24).fill(9)
  column.forEach((value, y) => {
    values[1 + 3 * y] = value
  })
  dct(values, 1, 3)
  expect(values.filter((_, at) => at % 3 !== 1).every((value) => value === 9)).toBe(true)
  byDefinition(column).forEach((expected, v) => {
    expect(values[1 + 3 * v]).toBeCloseTo(expected, 6)
  })
})

test('bits are written from the highest, and a zero byte follows each 255', () => {
  const writer = new BitWriter(0)
  writer.write(0b1, 1)
  writer.write(0b0100000, 7)
  writer.write(0, 0)
  writer.write(0xff, 8)
  writer.write(0xabcdef, 24)
  writer.write(0b01, 2)
  expect([...writer.end()]).toEqual([0xa0, 0xff, 0x00, 0xab, 0xcd, 0xef, 0b01111111])
})
