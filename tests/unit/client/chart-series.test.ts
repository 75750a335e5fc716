import { expect, test } from 'vitest'
import {
  axisTo,
  chartOf,
  codesOf,
  colouredOf,
  OTHER,
  STACKED_MAX,
  totalOf,
} from '../../../src/client/analytics/chart/chart-series.ts'

/** Codes with a scan less each, from `most` on. */
const codes = (count: number, most: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Code ${index}`, most - index]))

test('codes are stacked from the most scanned to the least', () => {
  const rows = [
    { date: '2026-11-19', Menu: 2, Poster: 5 },
    { date: '2026-11-20', Menu: 4, Poster: 0 },
  ]
  expect(chartOf(rows)).toEqual({
    dates: ['2026-11-19', '2026-11-20'],
    series: [
      { label: 'Menu', isOther: false, scans: [2, 4], total: 6 },
      { label: 'Poster', isOther: false, scans: [5, 0], total: 5 },
    ],
    others: [],
    total: 11,
  })
})

test('a code without a scan is not in the chart, a day without one is', () => {
  const { series, dates, total } = chartOf([{ date: '2026-11-19', Menu: 0 }])
  expect([series, total, dates]).toEqual([[], 0, ['2026-11-19']])
})

test('the chart names the twenty largest codes and adds up the others', () => {
  const scans = codes(STACKED_MAX + 3, 100)
  const { series, total } = chartOf([{ date: '2026-11-19', ...scans }])
  expect(series).toHaveLength(STACKED_MAX + 1)
  const sum = 80 + 79 + 78
  expect(series.at(-1)).toEqual({ label: OTHER, isOther: true, scans: [sum], total: sum })
  expect(total).toBe(Object.values(scans).reduce((sum, count) => sum + count, 0))
  const twenty = chartOf([{ date: '2026-11-19', ...codes(20, 100) }])
  expect(twenty.series.map(({ label }) => label)).not.toContain(OTHER)
})

test('each of twenty codes and Other looks different, in ten colors and a gray', () => {
  const { series } = chartOf([{ date: '2026-11-19', ...codes(STACKED_MAX + 3, 100) }])
  const looks = colouredOf(series)
  expect(new Set(looks.map(({ color }) => color)).size).toBe(11)
  expect(new Set(looks.map(({ color, isHollow }) => `${color} ${isHollow}`)).size).toBe(21)
})

test('a code may have any name', () => {
  const row = JSON.parse('{"date":"2026-11-19","__proto__":3,"a.b":2,"s0":1}')
  const { series } = chartOf([{ date: '2026-11-18' }, row])
  expect(series.map(({ label }) => label)).toEqual(['__proto__', 'a.b', 's0'])
  expect(series.map(({ scans }) => scans)).toEqual([
    [0, 3],
    [0, 2],
    [0, 1],
  ])
})

test('a day names each code that had scans, those of Other too, and counts all of them', () => {
  const scans = codes(STACKED_MAX + 190, 300)
  const chart = chartOf([
    { date: '2026-11-19', ...scans, 'Code 3': 0 },
    { date: '2026-11-20', ...scans },
  ])
  const named = codesOf(chart, 0, chart.series)
  expect(named.map(({ label }) => label)).not.toContain('Code 3')
  expect(named).toHaveLength(STACKED_MAX + 189)
  const total = totalOf(0, chart.series)
  expect(named.reduce((sum, one) => sum + one.scans, 0)).toBe(total)
  const shown = chart.series.filter(({ label }) => label !== OTHER)
  expect(codesOf(chart, 1, shown)).toHaveLength(STACKED_MAX)
})

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [37, [0, 10, 20, 30, 40]],
  [1_204, [0, 500, 1_000, 1_500]],
])('the lines for at most %i scans are whole and round', (most, lines) => {
  expect(axisTo(most)).toEqual(lines)
})
