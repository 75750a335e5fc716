import { describe, expect, it, test } from 'vitest'
import { queryWithoutStats, viewOf } from '../../../src/client/analytics/drawer/view/view.ts'
import { CALLS_AT_ONCE, readAnswers } from '../../../src/client/analytics/report/pages.ts'
import {
  codesText,
  definitionsText,
  lineText,
  listedCodes,
  missingText,
  pageChoices,
  periodText,
  shownText,
  topValues,
  zoneText,
} from '../../../src/client/analytics/report/report-words.ts'
import { isReportAskedBy } from '../../../src/client/analytics/stats-address.ts'
import { queryWithValue } from '../../../src/client/ui/dialog/address-steps.ts'
import type { Breakdown, Figures } from '../../../src/contract/analytics/figures.ts'
import type { QrCode } from '../../../src/contract/codes/codes.ts'

test('the address of a report is that of the analytics with one word more', () => {
  const view = '?q=menu&qr=c0de&range=7d&country=DE'
  const report = queryWithValue(view, 'report', '')
  expect(report).toBe(`${view}&report`)
  expect(isReportAskedBy(report)).toBe(true)
  expect(queryWithValue(report, 'report', null)).toBe(view)
  expect(queryWithValue('?report=&stats&city=Rome', 'report', null)).toBe('?stats&city=Rome')
  expect(queryWithValue('?stats&report=', 'report', '')).toBe('?stats&report')
  expect(queryWithoutStats(report)).toBe('?q=menu')
  expect(['?report', '?stats'].map(isReportAskedBy)).toEqual([false, false])
})

const range = (from: string, to: string, snapped = false) =>
  ({ from: `2026-11-${from}:00.000Z`, to: `2026-11-${to}:00.000Z`, by: 'day', snapped }) as const
const week = range('16T23:00', '23T23:00')

test.each([
  ['?range=7d', week, 'Europe/Berlin', 'Last 7 days: Nov 17 – 23, 2026'],
  ['?range=last-week', week, 'Europe/Berlin', 'Last week: Nov 17 – 23, 2026'],
  ['?range=free&from=2026-11-17&to=2026-11-23', week, 'Europe/Berlin', 'Nov 17 – 23, 2026'],
  [
    '?range=24h',
    range('22T10:00', '23T10:00'),
    'UTC',
    'Last 24 hours: Nov 22, 2026, 10:00 AM – Nov 23, 2026, 9:59 AM',
  ],
  ['?range=all', range('01T00:00', '24T00:00', true), 'Asia/Tokyo', 'All time: Nov 1 – 23, 2026'],
])('the period of %s reads as days of the reader, or of UTC', (query, period, zone, text) => {
  expect(periodText(viewOf(query), period, zone)).toBe(text)
  expect(zoneText(period, zone)).toContain(period.snapped ? 'UTC' : `Time zone: ${zone}`)
})

test('a report says whether people or bots are counted, and the filters that are on', () => {
  expect(shownText(viewOf('?qr=c0de'))).toBe('People, no filters')
  expect(shownText(viewOf('?kind=bots&device=Mobile&country=DE'))).toBe(
    'Bots, link previews, and the like, only Country: Germany, Device: Mobile',
  )
  expect(definitionsText('people', [3])).toMatch(/^How we count scans \(version 3\): each time a/)
  expect(definitionsText('people', [2, 3])).toMatch(/^How we count scans \(versions 2 and 3\): /)
  expect(definitionsText('bots', [])).toMatch(/^How we count visits: (?!.*Visitors)/)
})

test('the line of a report reads as one sentence', () => {
  const point = (at: string, scans: number) => ({ at, scans, visitors: 0, before: null })
  const points = [point('2026-11-17', 1), point('2026-11-18', 4)]
  expect(lineText({ range: week, scans: 5, points } as unknown as Figures, 'people')).toBe(
    'Scans by day: 5 in all, the most 4 scans: Wed, Nov 18, 2026',
  )
})

test.each([
  [0, 0, null],
  [1, 1, 'A page for one code.'],
  [12, 12, 'A page for each of 12 codes.'],
  [50, 1200, 'A page for each of the 50 codes with the most scans, of 1,200.'],
])('a report says which codes follow: %i of %i', (shown, all, text) => {
  expect(codesText(shown, all)).toBe(text)
})

test('a report offers pages for codes with scans, and for all', () => {
  const code = (id: string) => ({ id, name: id }) as QrCode
  const ranked = [{ id: 'poster', name: 'poster', scans: 3 }]
  const ranking = { codes: ranked, tags: [], utm: [], others: 0, scans: 3 }
  const codes = listedCodes([code('menu'), code('poster')], ranking)
  expect(codes.all.map(({ id }) => id)).toEqual(['poster', 'menu'])
  expect(pageChoices(codes).map(({ label }) => label)).toEqual([
    'Summary',
    'Codes with scans (1)',
    'All codes (2)',
  ])
  expect(pageChoices(listedCodes([code('poster')], ranking))).toHaveLength(2)
})

test('a report says what is missing, of five codes by name', () => {
  const one = { name: 'Menu', parts: ['Countries', 'Cities', 'Apps'] }
  expect(missingText([one])).toBe('Countries, Cities, and Apps of Menu')
  const many = Array.from({ length: 7 }, () => ({ name: 'Menu', parts: ['Scans'] }))
  expect(missingText(many)).toMatch(/; and of 2 more codes$/)
})

describe('the first values of a list', () => {
  const listOf = (values: number[], unknown = 0, others = 0): Breakdown => ({
    rows: values.map((scans, index) => ({ value: `v${index}`, label: `V ${index}`, scans })),
    unknown,
    others,
    scans: 0,
  })
  const scansOf = (rows: { scans: number }[]) => rows.map(({ scans }) => scans)

  it('are five and the sum of all others, or six if only one other is left', () => {
    const { rows, rest } = topValues('country', listOf([9, 8, 7, 6, 5, 4, 3]))
    expect(scansOf(rows)).toEqual([9, 8, 7, 6, 5])
    expect(rest).toEqual({ text: 'and 2 others', scans: 7 })
    expect(topValues('os', listOf([6, 5, 4, 3, 2, 1])).rows).toHaveLength(6)
  })

  it('include unknown values, sorted by size', () => {
    const { rows, rest } = topValues('referrer', listOf([9, 1], 5))
    expect(rows.map(({ label }) => label)).toEqual(['V 0', 'Direct (camera scan)', 'V 1'])
    expect(rest).toBeNull()
  })

  it('count every scan, although the list is cut', () => {
    const values = Array.from({ length: 500 }, () => 2)
    const { rows, rest } = topValues('city', listOf(values, 3, 40))
    expect(rest?.text).toBe('and more than 496 others')
    expect(scansOf(rows).reduce((all, scans) => all + scans, rest?.scans ?? 0)).toBe(1043)
  })
})

describe('the figures of a page', () => {
  const view = viewOf('?range=7d&by=day&country=DE')
  const draw = async () => 'data:image/svg+xml,'

  /** A server whose answers come after all calls of the moment have begun. */
  function server(scans: number, fails: RegExp | null = null) {
    const seen = { calls: [] as string[], now: 0, most: 0 }
    const read = async <Answer>(path: string) => {
      seen.calls.push(path)
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      await new Promise((resolve) => setImmediate(resolve))
      seen.now--
      if (fails?.test(path)) throw new Error('503: busy')
      return { scans } as Answer
    }
    return { seen, read }
  }

  it('are asked for by at most two calls at once, with the filters of the view', async () => {
    const { seen, read } = server(7)
    const result = await readAnswers('c0de', view, { read, draw })
    expect(result).toMatchObject({ answers: { figures: { scans: 7 } } })
    expect(seen.calls).toHaveLength(10)
    expect(seen.most).toBe(CALLS_AT_ONCE)
    for (const call of seen.calls) expect(call).toContain('qr=c0de&range=7d')
    for (const call of seen.calls) expect(call).toContain('country=DE')
  })

  it('are one call without a scan', async () => {
    const { seen, read } = server(0)
    const result = await readAnswers('', view, { read, draw: null })
    expect(result).toEqual({ answers: { figures: { scans: 0 }, picture: null, more: null } })
    expect(seen.calls).toHaveLength(1)
  })

  it('are named if they cannot be read', async () => {
    const { read } = server(7, /heatmap|facet=city/)
    const result = await readAnswers('c0de', view, { read, draw })
    expect(result).toMatchObject({ missing: { parts: ['Weekdays and hours', 'Cities'] } })
  })

  test('a picture that cannot be drawn is missing, too', async () => {
    const { read } = server(7)
    const result = await readAnswers('c0de', view, { read, draw: async () => undefined })
    expect(result).toMatchObject({ missing: { parts: ['Picture'] } })
  })
})
