import { expect, test } from 'vitest'
import { OldestScan } from '../../../src/server/analytics/record/journal/journal.ts'

test('the oldest scan is one that is not folded', () => {
  const oldest = new OldestScan()
  expect(oldest.after(0n)).toBe(undefined)
  oldest.mark(100n, 5_000, 0n)
  oldest.mark(200n, 5_300, 0n)
  oldest.mark(300n, 9_000, 0n)
  expect(oldest.after(100n)).toBe(5_000)
  // The group at 200 is less than a second younger.
  expect(oldest.after(200n)).toBe(5_000)
  expect(oldest.after(300n)).toBe(9_000)
  expect(oldest.after(400n)).toBe(undefined)
})

test('a day without a database takes little memory, and the age stays near the truth', () => {
  const oldest = new OldestScan()
  const day = 86_400
  for (let second = 0; second < day; second++) oldest.mark(BigInt(second), 1_000 * second, 0n)
  expect(oldest.after(0n)).toBe(0)
  const noon = day / 2
  const age = noon - (oldest.after(BigInt(noon)) ?? 0) / 1_000
  expect(age).toBeGreaterThanOrEqual(0)
  expect(age).toBeLessThan(day / 100)
})

test('while all is folded the age stays exact without a call', () => {
  const oldest = new OldestScan()
  for (let second = 0; second < 5_000; second++) {
    oldest.mark(BigInt(second), 1_000 * second, BigInt(second))
  }
  expect(oldest.after(4_999n)).toBe(4_999_000)
})
