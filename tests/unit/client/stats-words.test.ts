import { describe, expect, it, test } from 'vitest'
import { barsPath, linePath, onScreen } from '../../../src/client/analytics/chart/drawing.ts'
import { viewOf } from '../../../src/client/analytics/drawer/asked/view.ts'
import { pointsByDay } from '../../../src/client/analytics/drawer/days.ts'
import { shadeOf } from '../../../src/client/analytics/drawer/heat.ts'
import { codesByScans } from '../../../src/client/analytics/drawer/lists/codes-by-scans.tsx'
import { tagsByScans } from '../../../src/client/analytics/drawer/lists/tags-by-scans.tsx'
import world from '../../../src/client/analytics/drawer/map/world-shapes.json'
import {
  bestDay,
  busiest,
  changeOf,
  comparedText,
  lineText,
  pointText,
  rulesText,
  shareText,
  spanText,
  ticksOf,
  valueText,
  whenText,
} from '../../../src/client/analytics/drawer/words.ts'

const point = (at: string, scans: number) => ({ at, scans, visitors: scans, before: null })

test('a point is named by what it stands for', () => {
  expect(pointText('2026-11-14T18:00', 'hour')).toBe('Sat, Nov 14, 6 PM')
  expect(pointText('2026-11-14', 'day')).toBe('Sat, Nov 14, 2026')
  expect(pointText('2026-11-09', 'week')).toBe('Week of Nov 9, 2026')
  expect(pointText('2026-11-01', 'month')).toBe('November 2026')
})

test('it is said what is compared with what, as long as today is not over', () => {
  const view = { ...viewOf('?range=7d'), by: 'day' as const }
  const drawn = { by: 'day', hasBefore: true, isOver: false } as const
  expect(comparedText('7d', false)).toBe(' Compared up to the same time of day.')
  expect(comparedText('free', true)).toBe('')
  expect(comparedText('24h', false)).toBe('')
  expect(lineText(view, drawn)).toBe(
    'Scans and visitors by day, in your time zone. The dashed line is the 7 days before, up to the same time of day.',
  )
  expect(lineText(viewOf('?kind=bots&range=all'), { ...drawn, hasBefore: false })).toBe(
    'Visits by day, in your time zone.',
  )
})

test('a range is said in words', () => {
  const days = { from: '2026-11-01', to: '2026-11-07' }
  expect(whenText({ range: '7d', from: undefined, to: undefined })).toBe('in the last 7 days')
  expect(whenText({ range: 'free', ...days })).toBe('from Nov 1, 2026 to Nov 7, 2026')
  expect(whenText({ range: 'free', from: days.to, to: days.to })).toBe('on Nov 7, 2026')
})

test('it says by which versions of the rules it counts', () => {
  const told = 'People and bots are told apart by'
  expect(rulesText([4])).toBe(`${told} version 4 of our rules.`)
  expect(rulesText([3, 4])).toBe(`${told} versions 3 and 4 of our rules.`)
  expect(rulesText([2, 3, 4])).toBe(`${told} versions 2, 3 and 4 of our rules.`)
  expect(rulesText([])).toBe('')
})

describe('a change', () => {
  it.each([
    [130, 100, '+30 % from the 7 days before'],
    [70, 100, '−30 % from the 7 days before'],
    [100, 100, 'As in the 7 days before'],
    [5, 0, 'None in the 7 days before'],
    [190, 10, '19 times as many as in the 7 days before'],
  ])('from %i after %i reads %s', (now, before, short) => {
    expect(changeOf(now, before, '7d')?.short).toBe(short)
  })

  it('is not said where there is nothing to compare', () => {
    expect(changeOf(0, 0, '7d')).toBeNull()
    expect(changeOf(5, null, '7d')).toBeNull()
    expect(changeOf(5, 3, 'all')).toBeNull()
  })
})

describe('the best day', () => {
  it('has the most scans, and is the earlier one of equals', () => {
    const points = [point('2026-11-13', 4), point('2026-11-14', 9), point('2026-11-15', 9)]
    expect(bestDay(points)).toEqual({ name: 'Sat, Nov 14', scans: 9 })
    const newYear = [...points, point('2027-01-01', 1)]
    expect(bestDay(newYear)?.name).toBe('Sat, Nov 14, 2026')
    expect(bestDay([point('2026-11-13', 0)])).toBeNull()
  })

  it('is found among hours, too', () => {
    const hours = [
      point('2026-11-13T23:00', 5),
      point('2026-11-14T00:00', 3),
      point('2026-11-14T01:00', 4),
    ]
    expect(bestDay(pointsByDay(hours))).toEqual({ name: 'Sat, Nov 14', scans: 7 })
  })
})

describe('the best hour', () => {
  const week = (set: [day: number, hour: number, scans: number][]) => {
    const rows = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0))
    for (const [day, hour, scans] of set) (rows[day] as number[])[hour] = scans
    return { rows, scans: set.reduce((sum, [, , scans]) => sum + scans, 0) }
  }

  it('has the most scans of all days together', () => {
    const heatmap = week([
      [0, 18, 5],
      [4, 18, 4],
      [5, 12, 8],
    ])
    expect(busiest(heatmap)).toEqual({ hour: 18, inHour: 9, weekday: 'Saturday' })
    expect(busiest(week([]))).toBeNull()
  })

  it('is said with its end', () => {
    expect(spanText(18)).toBe('6 to 7 PM')
    expect(spanText(11)).toBe('11 AM to 12 PM')
    expect(spanText(23)).toBe('11 PM to 12 AM')
    expect(spanText(0)).toBe('12 to 1 AM')
  })
})

test('words below the axis stand at midnight or at noon, and are few', () => {
  const hours = (count: number) =>
    Array.from({ length: count }, (_, hour) => ({
      at: new Date(Date.UTC(2026, 10, 20, 15 + hour)).toISOString().slice(0, 16),
    }))
  expect(ticksOf(hours(24), 'hour').map(({ text }) => text)).toEqual([
    '6 PM',
    '12 AM',
    '6 AM',
    '12 PM',
  ])
  expect(ticksOf(hours(168), 'hour').map(({ text }) => text)).toEqual([
    'Nov 21',
    'Nov 23',
    'Nov 25',
    'Nov 27',
  ])
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ at: `2026-11-0${day}` }))
  expect(ticksOf(days, 'day').map(({ text }) => text)).toEqual(['Nov 1', 'Nov 3', 'Nov 5', 'Nov 7'])
})

test('a share is never none or all unless it is', () => {
  expect(shareText(1, 3)).toBe('33 %')
  expect(shareText(1, 1_000)).toBe('< 1 %')
  expect(shareText(999, 1_000)).toBe('> 99 %')
  expect(shareText(5, 5)).toBe('100 %')
  expect(shareText(0, 0)).toBe('0 %')
})

test('a filter reads as people say it, whatever the address says', () => {
  expect(valueText('country', 'DE')).toBe('Germany')
  expect(valueText('country', '<b>')).toBe('<b>')
  expect(valueText('language', 'de')).toBe('German')
  expect(valueText('city', '-')).toBe('Not known')
})

test('a small value has a shade of its own, and nothing has none', () => {
  expect([0, 1, 30, 100].map((value) => shadeOf(value, 100))).toEqual([0, 1, 3, 5])
  expect(shadeOf(0, 0)).toBe(0)
})

test('bars stand on the bars below them, and a missing value breaks a line', () => {
  const bars = barsPath(
    [
      { from: 0, to: 2 },
      { from: 1, to: 1 },
      { from: 1, to: 4 },
    ],
    onScreen(5),
  )
  expect(bars).toBe('M1.5 3h7v2h-7zM21.5 1h7v3h-7z')
  expect(linePath([1, null, 2, 3], onScreen(5))).toBe('M5 4h0.1M25 3L35 2')
})

test('codes are told by their scans, and the longest forgotten comes first', () => {
  const code = (id: string, createdAt: string) => ({ id, name: id, createdAt, tags: [] })
  const codes = [
    code('menu', '2026-01-01T00:00:00Z'),
    code('poster', '2026-01-02T00:00:00Z'),
    code('flyer', '2026-01-03T00:00:00Z'),
    code('new', '2026-11-20T00:00:00Z'),
  ]
  const scans = [
    { id: 'menu', totalScans: 3, lastScannedAt: '2026-06-01T00:00:00.000Z' },
    { id: 'poster', totalScans: 9, lastScannedAt: '2026-11-22T00:00:00.000Z' },
  ]
  const { most, forgotten } = codesByScans(codes, scans, new Date('2026-11-23T00:00:00Z'))
  expect(most.map(({ id, total }) => [id, total])).toEqual([
    ['poster', 9],
    ['menu', 3],
    ['flyer', 0],
    ['new', 0],
  ])
  expect(forgotten.map(({ id }) => id)).toEqual(['flyer', 'menu'])
})

test('the scans of a tag are those of its codes together', () => {
  const codes = [
    { id: 'menu', tags: ['Bar', 'Spring'] },
    { id: 'poster', tags: ['Spring'] },
    { id: 'flyer', tags: ['Hall'] },
    { id: 'plain', tags: [] },
  ]
  const at = '2026-11-22T00:00:00.000Z'
  const scans = [
    { id: 'menu', totalScans: 3, lastScannedAt: at },
    { id: 'poster', totalScans: 9, lastScannedAt: at },
    { id: 'plain', totalScans: 5, lastScannedAt: at },
  ]
  expect(tagsByScans(codes, scans)).toEqual([
    { name: 'Spring', codes: 2, scans: 12 },
    { name: 'Bar', codes: 1, scans: 3 },
    { name: 'Hall', codes: 1, scans: 0 },
  ])
})

test('the map has a shape or a dot for every country that names itself in English', () => {
  const known = new Set([...Object.keys(world.shapes), ...Object.keys(world.dots)])
  expect(
    ['DE', 'FR', 'US', 'SG', 'MT', 'LS', 'XK', 'RU', 'FJ'].filter((code) => !known.has(code)),
  ).toEqual([])
  expect([...known].filter((code) => valueText('country', code) === code)).toEqual([])
  expect(Object.keys(world.shapes).filter((code) => code in world.dots)).toEqual([])
})
