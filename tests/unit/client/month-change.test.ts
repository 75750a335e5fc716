import { expect, test } from 'vitest'
import { dayAt } from '../../../src/client/analytics/chart/read-day.ts'
import { monthChange } from '../../../src/client/analytics/month-change.ts'
import { sparklinePath } from '../../../src/client/analytics/stat-cards.tsx'

/** Ten days into November, after an October of 31 days. */
const now = new Date(2026, 10, 11)
const change = (scansThisMonth: number, scansLastMonth?: number, at = now) =>
  monthChange({ scansThisMonth, scansLastMonth }, at)

test('a month that is not over is compared by its days', () => {
  expect(change(112, 310)).toEqual({
    short: '+12% vs last month',
    words: '12% more scans per day than last month',
  })
  expect(change(75, 310)).toEqual({
    short: '−25% vs last month',
    words: '25% fewer scans per day than last month',
  })
  expect(change(100, 310)?.words).toBe('As many scans per day as last month')
})

test('a month without scans before it has no change', () => {
  expect(change(0, 0)).toBeNull()
  expect(change(5, undefined)).toBeNull()
  expect(change(5, 310, new Date(2026, 10, 1, 18))).toBeNull()
  expect(change(5, 0)?.words).toBe('There were no scans last month')
})

test('the small line goes from left to right, and its highest point is at the top', () => {
  expect(sparklinePath([0, 2, 4])).toBe('M0 24L50 12L100 0')
  expect(sparklinePath([0, 0, 0])).toBe('M0 24L50 24L100 24')
})

test('each place of the chart belongs to a day, and its edges take what lies beyond', () => {
  const area = { left: 100, width: 300 }
  expect([90, 100, 109, 110, 399, 400, 500].map((x) => dayAt(x, area, 30))).toEqual([
    0, 0, 0, 1, 29, 29, 29,
  ])
})
