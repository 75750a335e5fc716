import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  combine,
  decode,
  encode,
  PackBuilder,
  packColumns,
  rowAt,
  without,
} from '../../../src/server/analytics/store/packs/pack.ts'
import { sumIn, sumsOf } from '../../../src/server/analytics/store/packs/sums.ts'
import type { PackedScans } from '../../../src/server/analytics/store/scans-store.ts'
import { seed, times } from '../../support/soak.ts'

type Row = { second: number; first: number; texts: (string | null)[] }

function packOf(rows: Row[], day = 20_000): PackedScans {
  const builder = new PackBuilder(day)
  for (const { second, first, texts } of rows) builder.add(second, first, texts)
  return builder.build()
}

function rowsOf({ size, seconds, first, columns }: PackedScans): Row[] {
  return Array.from({ length: size }, (_, row) => ({
    second: seconds[row] as number,
    first: first[row] as number,
    texts: packColumns.map((name) => columns[name].values[columns[name].of[row] as number] ?? null),
  }))
}

const bySecond = (rows: Row[]) => rows.toSorted((one, other) => one.second - other.second)

const text = fc.oneof(
  fc.constantFrom('DE', 'Zürich', '東京', '', 'null', '\u0000', '👩‍👩‍👧', '\ud800'),
  fc.string({ unit: 'grapheme' }),
  fc.constant(null),
)
const row: fc.Arbitrary<Row> = fc.record({
  second: fc.integer({ min: 0, max: 86_399 }),
  first: fc.integer({ min: 0, max: 1 }),
  texts: fc.array(text, { minLength: packColumns.length, maxLength: packColumns.length }),
})
const rows = fc.array(row, { maxLength: 60 })

describe('a pack', () => {
  test('has the scans that were put into it, in the order of time, whatever their texts', () => {
    fc.assert(
      fc.property(rows, (rows) => {
        const pack = packOf(rows)
        expect(rowsOf(pack)).toEqual(bySecond(rows))
        expect(decode(encode(pack))).toEqual(pack)
      }),
      { seed, numRuns: times(200, 5_000) },
    )
  })

  test('can be read where it lies in other bytes', () => {
    const pack = packOf([
      { second: 5, first: 1, texts: ['one', 'person'] },
      { second: 9, first: 0, texts: ['two', 'person'] },
    ])
    const bytes = Buffer.concat([Buffer.from('before!'), encode(pack), Buffer.from('after')])
    expect(decode(bytes.subarray(7, -5))).toEqual(pack)
  })

  test.each([0, 1, 256, 257, 65_536, 65_537])('holds %i different values', (count) => {
    const pack = packOf(
      Array.from({ length: count }, (_, n) => ({
        second: n % 86_400,
        first: 0,
        texts: [`code ${n}`],
      })),
    )
    expect(pack.columns.code_id.values).toHaveLength(count)
    expect(encode(decode(encode(pack))).equals(encode(pack))).toBe(true)
    const wanted = count === 0 ? undefined : `code ${count - 1}`
    expect(rowsOf(decode(encode(pack))).at(-1)?.texts[0]).toBe(wanted)
  })

  test('of several has all their scans', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 5 }), (parts) => {
        const whole = combine(parts.map((part) => packOf(part)))
        expect(rowsOf(whole)).toEqual(bySecond(parts.flatMap(bySecond)))
        expect(decode(encode(whole))).toEqual(whole)
      }),
      { seed, numRuns: times(100, 2_000) },
    )
  })

  test('loses the scans of some codes and keeps all others', () => {
    fc.assert(
      fc.property(rows, fc.array(text, { maxLength: 3 }), (rows, gone) => {
        const codes = new Set(gone)
        const left = bySecond(rows).filter(({ texts }) => !codes.has(texts[0] ?? null))
        const pack = without(packOf(rows), codes)
        if (!pack) expect(left).toHaveLength(rows.length)
        else {
          expect(rowsOf(pack)).toEqual(left)
          expect(pack).toEqual(packOf(left))
        }
      }),
      { seed, numRuns: times(200, 5_000) },
    )
  })

  test('tells the first row at a second', () => {
    const pack = packOf([3, 3, 7, 86_399].map((second) => ({ second, first: 0, texts: [] })))
    const at = (second: number) => rowAt(pack, second)
    expect([-5, 0, 3, 4, 7, 8, 86_399, 86_400].map(at)).toEqual([0, 0, 0, 2, 2, 3, 3, 4])
  })

  test('of before scans had a branch is read, and all its scans are in the sum of the main destination', () => {
    const pack = packOf([{ second: 5, first: 1, texts: ['one', 'person', '3:person'] }])
    const bytes = encode(pack)
    const head = bytes.readUInt32LE()
    const [version, day, size, lists] = JSON.parse(bytes.toString('utf8', 4, 4 + head))
    const older = Buffer.from(JSON.stringify([version, day, size, lists.slice(0, -1)]))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(older.length)
    expect(decode(Buffer.concat([length, older, bytes.subarray(4 + head)]))).toEqual(pack)
    const sums = sumsOf(pack).sums.toString()
    const olderSums = Buffer.from(sums.replace(/\npeople branch[^\n]*/, ''))
    expect(olderSums.length).toBeLessThan(sums.length)
    expect(sumIn(olderSums, 'people', 'branch')).toEqual([null, 1])
    expect(sumIn(Buffer.from(sums), 'people', 'branch')).toEqual([null, 1])
  })

  test('of another version is refused', () => {
    const bytes = encode(packOf([]))
    bytes[bytes.indexOf('[1,') + 1] = '9'.charCodeAt(0)
    expect(() => decode(bytes)).toThrow('a pack of version 9')
  })
})
