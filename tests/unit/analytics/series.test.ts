import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakdownRow, seriesKeys } from '../../../src/server/analytics/query/daily-breakdown.ts'
import { seed, times } from '../../support/soak.ts'

const ids = ['aaaaaaaa-1', 'bbbbbbbb-2', 'cccccccc-3', 'dddddddd-4']
const named = (...names: string[]) =>
  names.map((name, index) => ({ id: ids[index] as string, name }))
const keys = (...names: string[]) => [...seriesKeys(named(...names)).values()]

describe('the key of a series', () => {
  test('is the name of the code', () => {
    expect(keys('Menu', 'Wi-Fi')).toEqual(['Menu', 'Wi-Fi'])
  })

  test('has the start of the id if two codes share the name', () => {
    const wanted = new Set(['Menu (#aaaaaaaa)', 'Menu (#bbbbbbbb)', 'Wi-Fi'])
    expect(new Set(keys('Menu', 'Menu', 'Wi-Fi'))).toEqual(wanted)
  })

  test('is never the key of the date', () => {
    expect(keys('date')).toEqual(['date (#aaaaaaaa)'])
  })

  test('is different for each code, whatever the names', () => {
    const name = fc.constantFrom(
      'Menu',
      'date',
      '__proto__',
      'Menu (#aaaaaaaa)',
      'Menu (#bbbbbbbb)',
      'date (#aaaaaaaa)',
    )
    const property = fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
      const codes = named(...names)
      const counts = new Map(codes.map(({ id }, index) => [id, [index + 1]]))
      const day = { date: '2026-03-05', from: 0, to: 96 }
      const row = JSON.parse(breakdownRow(codes, counts)(day, 0))
      const numbers = Object.entries(row).filter(([key]) => key !== 'date')
      expect(numbers.map(([, scans]) => Number(scans)).sort()).toEqual(codes.map((_, n) => n + 1))
      expect(row).toHaveProperty('date', '2026-03-05')
    })
    fc.assert(property, { seed, numRuns: times(200, 10_000) })
  })
})
