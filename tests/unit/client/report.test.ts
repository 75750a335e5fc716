import { describe, expect, it, test } from 'vitest'
import { queryWithoutStats, viewOf } from '../../../src/client/analytics/drawer/view/view.ts'
import { CALLS_AT_ONCE, readAnswers } from '../../../src/client/analytics/report/read-answers.ts'
import {
  codesText,
  definitionsText,
  lineText,
  missingText,
  periodText,
  shownText,
  topValues,
  zoneText,
} from '../../../src/client/analytics/report/report-words.ts'
import {
  isReportAskedBy,
  queryWithoutReport,
  queryWithReport,
} from '../../../src/client/analytics/stats-address.ts'
import type { Breakdown, Figures } from '../../../src/contract/analytics/figures.ts'

describe('the address of a report', () => {
  it('is that of the analytics with one word more, and nothing of the view is lost', () => {
    const view = '?q=menu&qr=c0de&range=7d&country=DE'
    const report = queryWithReport(view)
    expect(report).toBe(`${view}&report`)
    expect(isReportAskedBy(report)).toBe(true)
    expect(queryWithoutReport(report)).toBe(view)
    expect(queryWithoutReport('?report=&stats&city=Rome')).toBe('?stats&city=Rome')
    expect(queryWithReport('?stats&report=')).toBe('?stats&report')
  })

  it('asks for nothing without a code or all', () => {
    expect(isReportAskedBy('?report')).toBe(false)
    expect(isReportAskedBy('?stats')).toBe(false)
  })

  it('goes with the analytics', () => {
    expect(queryWithoutStats('?q=menu&qr=c0de&report&range=7d')).toBe('?q=menu')
  })
})

const range = (from: string, to: string, snapped = false) =>
  ({ from, to, by: 'day', snapped }) as const

describe('the words of a report', () => {
  const week = range('2026-11-16T23:00:00.000Z', '2026-11-23T23:00:00.000Z')

  it('say the days of the range in the zone of the reader', () => {
    const text = periodText(viewOf('?range=7d'), week, 'Europe/Berlin')
    expect(text).toBe('Last 7 days: Nov 17 – 23, 2026')
    expect(zoneText(week, 'Europe/Berlin')).toBe('Time zone: Europe/Berlin')
  })

  it('say a free range by its days, and a day by its hours', () => {
    const free = viewOf('?range=free&from=2026-11-17&to=2026-11-23')
    expect(periodText(free, week, 'Europe/Berlin')).toBe('Nov 17 – 23, 2026')
    const day = range('2026-11-22T10:00:00.000Z', '2026-11-23T10:00:00.000Z')
    expect(periodText(viewOf('?range=24h'), day, 'UTC')).toBe(
      'Last 24 hours: Nov 22, 2026, 10:00 AM – Nov 23, 2026, 9:59 AM',
    )
  })

  it('say if days are those of UTC', () => {
    const snapped = range('2026-11-01T00:00:00.000Z', '2026-11-24T00:00:00.000Z', true)
    expect(periodText(viewOf('?range=all'), snapped, 'Asia/Tokyo')).toBe(
      'All time: Nov 1 – 23, 2026',
    )
    expect(zoneText(snapped, 'Asia/Tokyo')).toContain('UTC')
  })

  it('say whether people or bots are counted, and the filters that are on', () => {
    expect(shownText(viewOf('?qr=c0de'))).toBe('People, without filters')
    expect(shownText(viewOf('?kind=bots&device=Mobile&country=DE'))).toBe(
      'Bots, link previews and the like, only Country: Germany, Device: Mobile',
    )
    expect(definitionsText('people', [2, 3])).toContain('version 2 and 3 of our rules')
    expect(definitionsText('bots', [])).not.toContain('Visitors')
  })

  it('say the line in one sentence', () => {
    const point = (at: string, scans: number) => ({ at, scans, visitors: 0, before: null })
    const points = [point('2026-11-17', 1), point('2026-11-18', 4)]
    expect(lineText({ range: week, scans: 5, points } as unknown as Figures, 'people')).toBe(
      'Scans by day: 5 in all, the most 4 scans: Wed, Nov 18, 2026',
    )
  })

  it.each([
    [0, 0, null],
    [1, 1, 'One code follows.'],
    [12, 12, 'All 12 codes follow.'],
    [50, 1200, 'The 50 codes with the most scans follow, of 1,200.'],
  ])('say which codes follow: %i of %i', (shown, all, text) => {
    expect(codesText(shown, all)).toBe(text)
  })

  it('say what is missing, of five codes by name', () => {
    const one = { name: 'Menu', parts: ['Countries', 'Cities', 'Apps'] }
    expect(missingText([one])).toBe('Countries, Cities, and Apps of Menu')
    const many = Array.from({ length: 7 }, () => ({ name: 'Menu', parts: ['Scans'] }))
    expect(missingText(many)).toMatch(/; and of 2 more codes$/)
  })
})

describe('the first values of a list', () => {
  const breakdown = (values: number[], more: Partial<Breakdown> = {}): Breakdown => ({
    rows: values.map((scans, index) => ({ value: `v${index}`, label: `V ${index}`, scans })),
    unknown: 0,
    others: 0,
    scans: 0,
    ...more,
  })

  it('are five and the sum of all others', () => {
    const { rows, rest } = topValues('country', breakdown([9, 8, 7, 6, 5, 4, 3]))
    expect(rows.map(({ scans }) => scans)).toEqual([9, 8, 7, 6, 5])
    expect(rest).toEqual({ text: 'and 2 others', scans: 7 })
  })

  it('have what is not known among them, by its size', () => {
    const { rows, rest } = topValues('referrer', breakdown([9, 1], { unknown: 5 }))
    expect(rows.map(({ label }) => label)).toEqual(['V 0', 'None, such as a camera', 'V 1'])
    expect(rest).toBeNull()
  })

  it('are six if only one other is left', () => {
    expect(topValues('os', breakdown([6, 5, 4, 3, 2, 1])).rows).toHaveLength(6)
  })

  it('leave out no scan, whatever the list leaves out', () => {
    const values = Array.from({ length: 500 }, () => 2)
    const { rows, rest } = topValues('city', breakdown(values, { others: 40, unknown: 3 }))
    expect(rest?.text).toBe('and more than 496 others')
    const sum = rows.reduce((all, { scans }) => all + scans, rest?.scans ?? 0)
    expect(sum).toBe(1043)
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

  it('that cannot be read are named', async () => {
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
