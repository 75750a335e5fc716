import { describe, expect, it, test } from 'vitest'
import { barsPath, linePath, onScreen } from '../../../src/client/analytics/chart/drawing.ts'
import { marksOf, pointsByDay, shadeOf } from '../../../src/client/analytics/drawer/figures.ts'
import { quietCodes } from '../../../src/client/analytics/drawer/lists/gone-quiet.tsx'
import world from '../../../src/client/analytics/drawer/map/world-shapes.json'
import { viewOf } from '../../../src/client/analytics/drawer/view/view.ts'
import {
  bestDay,
  busiest,
  changeOf,
  comparedText,
  lineText,
  pointText,
  shareText,
  ticksOf,
  valueText,
  whenText,
} from '../../../src/client/analytics/drawer/words.ts'
import { localHourSpan } from '../../../src/client/formats.ts'

const point = (at: string, scans: number) => ({ at, scans, visitors: scans, before: null })

test.each([
  ['2026-11-14T18:00', 'hour', 'Sat, Nov 14, 6 PM'],
  ['2026-11-14', 'day', 'Sat, Nov 14, 2026'],
  ['2026-11-09', 'week', 'Week of Nov 9, 2026'],
  ['2026-11-01', 'month', 'November 2026'],
] as const)('the point %s by the %s reads %s', (at, by, text) => {
  expect(pointText(at, by)).toBe(text)
})

test('a period that is not over is compared up to the same time of day', () => {
  expect(comparedText('7d', false)).toBe(' Compared up to the same time of day.')
  expect([comparedText('free', true), comparedText('24h', false)]).toEqual(['', ''])
  const drawn = { by: 'day', hasBefore: true, hasMarks: false, isOver: false } as const
  expect(lineText(viewOf('?range=7d'), drawn)).toBe(
    'Scans and visitors by day, in your time zone. The dashed line shows the previous 7 days, up to the same time of day.',
  )
  const marked = { ...drawn, hasBefore: false, hasMarks: true }
  expect(lineText(viewOf('?kind=bots&range=all'), marked)).toBe(
    'Visits by day, in your time zone. Each dotted line is a change of the code.',
  )
})

test.each([
  ['?range=7d', 'in the last 7 days'],
  ['?range=last-week', 'last week'],
  ['?range=this-month', 'this month'],
  ['?range=free&from=2026-11-01&to=2026-11-07', 'from Nov 1, 2026 to Nov 7, 2026'],
  ['?range=free&from=2026-11-07&to=2026-11-07', 'on Nov 7, 2026'],
])('the range of %s reads %s', (query, text) => {
  expect(whenText(viewOf(query))).toBe(text)
})

test.each([
  [130, 100, '+30% vs the previous 7 days'],
  [70, 100, '−30% vs the previous 7 days'],
  [100, 100, 'Same as the previous 7 days'],
  [5, 0, 'None in the previous 7 days'],
  [190, 10, '19 times as many as in the previous 7 days'],
  [0, 0, undefined],
  [5, null, undefined],
])('a change from %i after %s reads %s', (now, before, short) => {
  expect(changeOf(now, before, '7d')?.short).toBe(short)
  expect(changeOf(now, before, 'all')).toBeNull()
})

test('the best day has the most scans, and is the earlier one of equals', () => {
  const points = [point('2026-11-13', 4), point('2026-11-14', 9), point('2026-11-15', 9)]
  expect(bestDay(points)).toEqual({ name: 'Sat, Nov 14', scans: 9 })
  expect(bestDay([...points, point('2027-01-01', 1)])?.name).toBe('Sat, Nov 14, 2026')
  expect(bestDay([point('2026-11-13', 0)])).toBeNull()
})

test('hours add up to days', () => {
  const hours = [['13T23', 5] as const, ['14T00', 3] as const, ['14T01', 4] as const]
  const points = hours.map(([at, scans]) => point(`2026-11-${at}:00`, scans))
  expect(bestDay(pointsByDay(points))).toEqual({ name: 'Sat, Nov 14', scans: 7 })
})

test('the best hour has the most scans of all days together', () => {
  const rows = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
  expect(busiest({ rows, scans: 0 })).toBeNull()
  const set = (day: number, hour: number, scans: number) => {
    ;(rows[day] as number[])[hour] = scans
  }
  set(0, 18, 5)
  set(4, 18, 4)
  set(5, 12, 8)
  expect(busiest({ rows, scans: 17 })).toEqual({ hour: 18, inHour: 9, weekday: 'Saturday' })
})

test.each([
  ['last-week', 'the week before'],
  ['this-month', 'the month before'],
  ['12m', 'the previous 12 months'],
  ['free', 'the previous period'],
] as const)('the range %s is compared with %s', (range, text) => {
  expect(changeOf(2, 1, range)?.short).toBe(`+100% vs ${text}`)
})

test.each([
  [18, '6 – 7 PM'],
  [11, '11 AM – 12 PM'],
  [23, '11 PM – 12 AM'],
  [0, '12 – 1 AM'],
])('the hour %i reads %s', (hour, text) => {
  expect(localHourSpan(hour)).toBe(text)
})

describe('the words below an axis', () => {
  const hours = (count: number) =>
    Array.from({ length: count }, (_, hour) =>
      new Date(Date.UTC(2026, 10, 20, 15 + hour)).toISOString().slice(0, 16),
    )
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => `2026-11-0${day}`)

  it.each([
    ['hour', hours(24), '6 PM, 12 AM, 6 AM, 12 PM'],
    ['hour', hours(168), 'Nov 21, Nov 23, Nov 25, Nov 27'],
    ['day', days, 'Nov 1, Nov 3, Nov 5, Nov 7'],
  ] as const)('by the %s are few, at midnight or at noon', (by, points, words) => {
    const ticks = ticksOf(
      points.map((at) => ({ at })),
      by,
    )
    expect(ticks.map(({ text }) => text).join(', ')).toBe(words)
  })
})

test.each([
  [1, 3, '33%'],
  [1, 1_000, '<1%'],
  [999, 1_000, '>99%'],
  [5, 5, '100%'],
  [0, 0, '0%'],
])('a share of %i of %i reads %s', (part, all, text) => {
  expect(shareText(part, all)).toBe(text)
})

test.each([
  ['country', 'DE', 'Germany'],
  ['country', '<b>', '<b>'],
  ['language', 'de', 'German'],
  ['city', '-', 'Unknown'],
] as const)('the filter %s=%s reads %s', (facet, value, text) => {
  expect(valueText(facet, value)).toBe(text)
})

test('a small value has its own shade, and zero has none', () => {
  expect([0, 1, 30, 100].map((value) => shadeOf(value, 100))).toEqual([0, 1, 3, 5])
  expect(shadeOf(0, 0)).toBe(0)
})

test('bars stand on the bars below them, and a missing value breaks a line', () => {
  expect(barsPath([2, 1, 4], onScreen(5), [0, 1, 1])).toBe('M1.5 3h7v2h-7zM21.5 1h7v3h-7z')
  expect(linePath([1, null, 2, 3], onScreen(5))).toBe('M5 4h0.1M25 3L35 2')
})

test('codes without a recent scan come with the longest forgotten first', () => {
  const code = (id: string, day: string) => ({
    id,
    name: id,
    createdAt: `2026-${day}`,
    tags: [],
    rules: [],
  })
  const codes = [
    code('menu', '01-01'),
    code('poster', '01-02'),
    code('flyer', '01-03'),
    code('new', '11-20'),
  ]
  const scans = [
    { id: 'menu', totalScans: 3, lastScannedAt: '2026-06-01', silentSince: null },
    { id: 'poster', totalScans: 9, lastScannedAt: '2026-11-22', silentSince: null },
  ]
  const quiet = quietCodes(codes, scans, new Date('2026-11-23'))
  expect(quiet.map(({ id, total }) => `${id} ${total}`)).toEqual(['flyer 0', 'menu 3'])
})

test('the map has a shape or a dot for each country, and each has an English name', () => {
  const known = [...Object.keys(world.shapes), ...Object.keys(world.dots)]
  expect(known).toEqual(
    expect.arrayContaining(['DE', 'FR', 'US', 'SG', 'MT', 'LS', 'XK', 'RU', 'FJ']),
  )
  expect(known.filter((code) => valueText('country', code) === code)).toEqual([])
  expect(new Set(known).size).toBe(known.length)
})

test('a change is marked on the day that it had in the zone of the figures, and not after the last day', () => {
  const points = [{ at: '2026-11-14' }, { at: '2026-11-15' }]
  const changes = ['2026-11-14T23:30:00Z', '2026-11-16T23:30:00Z'].map((at) => ({ at, words: at }))
  const [first] = changes.map(({ words }) => words)
  const to = '2026-11-15T23:00:00Z'
  expect(marksOf(points, { to, snapped: false }, changes, 'Europe/Berlin')).toEqual(['', first])
  expect(marksOf(points, { to, snapped: true }, changes, 'Europe/Berlin')).toEqual([first, ''])
})
