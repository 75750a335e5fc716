import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COUNTER_END, newScanId, scanId } from '../../../src/server/analytics/store/scan-ids.ts'

const NONCE = '0123456789'
const instant = fc.integer({ min: 0, max: Date.parse('3000-01-01') })

test('an id has the form that ids always had', () => {
  const at = Date.parse('2026-11-22T12:00:00Z')
  expect(scanId(at, 7, NONCE)).toMatch(/^[0-9a-z]{24}$/)
  expect(scanId(at, 7, NONCE).slice(0, 9)).toBe(newScanId(at).slice(0, 9))
})

test('ids are in the order of their instants, and of their counters within one', () => {
  const counter = fc.integer({ min: 0, max: COUNTER_END - 1 })
  const scan = fc.tuple(instant, counter)
  const property = fc.property(scan, scan, (one, other) => {
    const isBefore = one[0] === other[0] ? one[1] < other[1] : one[0] < other[0]
    expect(scanId(...one, NONCE) < scanId(...other, NONCE)).toBe(isBefore)
  })
  fc.assert(property)
})
