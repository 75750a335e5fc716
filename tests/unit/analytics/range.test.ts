import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timeZone } from '../../../src/contract/analytics/analytics.ts'
import {
  POINTS_MAX,
  ranges,
  type Step,
  steps,
} from '../../../src/contract/analytics/figure-values.ts'
import { type Asked, pointsOf, rangeOf } from '../../../src/server/analytics/query/range.ts'
import { QUARTER_MS, quarterOf } from '../../../src/server/dates.ts'
import { inTurn, seed, someOf, times } from '../../support/soak.ts'

const zones = Intl.supportedValuesOf('timeZone').map((zone) => timeZone.parse(zone))
const DAY = 96

const ranged = (
  asked: Partial<Asked>,
  now: string,
  known: { first?: number; firstCompleteDay?: number } = {},
) =>
  rangeOf({ range: '30d', tz: 'UTC', weekStart: 1, ...asked } as Asked, {
    now: new Date(now),
    first: undefined,
    firstCompleteDay: 0,
    ...known,
  })
const instant = (quarter: number) => new Date(quarter * QUARTER_MS).toISOString().slice(0, 16)
/** The first and the last of these instants. */
const ends = (quarters: number[] = []) =>
  [quarters[0], quarters.at(-1)].map((at) => instant(at ?? 0))
const labels = (asked: Partial<Asked>, now: string) => pointsOf(ranged(asked, now)).labels

/** The clocks of a zone, in the form of the points' labels. */
function clocksOf(zone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...({ timeZone: zone, dateStyle: 'short', timeStyle: 'short' } as const),
  })
  return (quarter: number) => format.format(quarter * QUARTER_MS).replace(' ', 'T')
}

/** The label of the point that counts a quarter-hour. */
function labelAt({ labels, starts }: { labels: string[]; starts: number[] }, quarter: number) {
  const index = starts.findLastIndex((start) => start <= quarter)
  return labels[index]
}

describe('a range', () => {
  test('of 24 hours ends with the hour that is now, and has each hour once', () => {
    const hours = labels({ range: '24h', tz: 'Asia/Kathmandu' }, '2026-03-05T10:20:00Z')
    expect(hours).toHaveLength(24)
    expect([hours[0], hours.at(-1)]).toEqual(['2026-03-04T17:00', '2026-03-05T16:00'])
  })

  test('of days ends with today', () => {
    expect(labels({ range: '7d', tz: 'Pacific/Kiritimati' }, '2026-03-05T10:20:00Z')).toEqual(
      ['02-28', '03-01', '03-02', '03-03', '03-04', '03-05', '03-06'].map((day) => `2026-${day}`),
    )
  })

  test('of 12 months goes by months, the current one among them', () => {
    const months = labels({ range: '12m' }, '2026-03-05T10:20:00Z')
    expect(months).toHaveLength(12)
    expect([months[0], months.at(-1)]).toEqual(['2025-04-01', '2026-03-01'])
  })

  test.each([
    [1, '2026-02-23', '2026-03-01'],
    [7, '2026-02-22', '2026-02-28'],
    [6, '2026-02-21', '2026-02-27'],
  ])('of last week ends before the weekday %i on which weeks begin', (weekStart, first, last) => {
    const asked = { range: 'last-week', weekStart } as const
    const days = labels(asked, '2026-03-05T10:20:00Z')
    expect([days.length, days[0], days.at(-1)]).toEqual([7, first, last])
    // On the weekday itself the week before is over.
    const onSunday = labels({ range: 'last-week', weekStart: 7 }, '2026-03-08T00:00:00Z')
    expect([onSunday[0], onSunday.at(-1)]).toEqual(['2026-03-01', '2026-03-07'])
  })

  test('of a month has its days, and is compared with the month before', () => {
    const now = '2026-03-05T10:20:00Z'
    const thisMonth = ranged({ range: 'this-month', tz: 'Asia/Tokyo' }, now)
    const wanted = ['01', '02', '03', '04', '05'].map((day) => `2026-03-${day}`)
    expect(pointsOf(thisMonth).labels).toEqual(wanted)
    expect(ends(pointsOf(thisMonth).before)).toEqual(['2026-01-31T15:00', '2026-02-05T10:30'])
    const lastMonth = pointsOf(ranged({ range: 'last-month' }, now))
    expect([lastMonth.labels[0], lastMonth.labels.at(-1)]).toEqual(['2026-02-01', '2026-02-28'])
    expect(lastMonth.before?.map(instant).at(-1)).toBe('2026-02-01T00:00')
    // 29 to 31 March have no day in February.
    const march = pointsOf(ranged({ range: 'last-month' }, '2026-04-02T00:00:00Z'))
    expect(march.before?.map(instant).slice(-4)).toEqual(
      ['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-01'].map((day) => `${day}T00:00`),
    )
  })

  test('of all days begins with the day of the first scan', () => {
    const first = quarterOf(Date.parse('2026-03-01T23:30:00Z'))
    const now = '2026-03-05T10:20:00Z'
    const { labels } = pointsOf(ranged({ range: 'all', tz: 'Europe/Berlin' }, now, { first }))
    expect(labels).toEqual(['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05'])
    expect(pointsOf(ranged({ range: 'all' }, now)).before).toBeUndefined()
    expect(pointsOf(ranged({ range: 'all' }, now)).labels).toHaveLength(11)
  })

  test('that is free has its first and its last day, and no day that has not begun', () => {
    const free = (from?: string, to?: string) =>
      labels({ range: 'free', by: 'day', from, to }, '2026-03-05T10:20:00Z')
    expect(free('2026-03-01', '2026-03-02')).toEqual(['2026-03-01', '2026-03-02'])
    expect(free('2026-03-05', '2027-03-02')).toEqual(['2026-03-05'])
    for (const [from, to] of [
      ['2026-03-06', '2026-03-07'],
      ['2026-03-02', '2026-03-01'],
      ['1999-12-31', '2026-03-01'],
      [undefined, '2026-03-01'],
      ['2026-03-01', undefined],
    ]) {
      expect(() => free(from, to)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
    }
  })

  test('goes by weeks from Monday: the first and the last may be cut', () => {
    const { from, to, ...range } = ranged({ range: '30d', by: 'week' }, '2026-03-05T10:20:00Z')
    expect(pointsOf({ from, to, ...range })).toMatchObject({
      labels: ['2026-02-02', '2026-02-09', '2026-02-16', '2026-02-23', '2026-03-02'],
    })
    expect(ends([from, to])).toEqual(['2026-02-04T00:00', '2026-03-06T00:00'])
  })

  test('takes a step that suits its length if the query has none', () => {
    const stepOf = (from: string, to: string) =>
      ranged({ range: 'free', from, to }, '2026-03-05T10:20:00Z').by
    expect(stepOf('2026-03-01', '2026-03-02')).toBe('hour')
    expect(stepOf('2026-01-01', '2026-03-02')).toBe('day')
    expect(stepOf('2025-04-01', '2026-03-02')).toBe('week')
    expect(stepOf('2022-04-01', '2026-03-02')).toBe('month')
  })

  test('is compared with the period before up to the same time of the day', () => {
    const range = ranged({ range: '7d', tz: 'Europe/Berlin' }, '2026-04-01T10:20:00Z')
    // Clocks went forward on 29 March.
    expect(ends(pointsOf(range).before)).toEqual(['2026-03-18T23:00', '2026-03-25T11:30'])
  })

  test('of 12 months is compared with the year before', () => {
    const { before = [] } = pointsOf(ranged({ range: '12m' }, '2028-02-29T10:20:00Z'))
    const months = ['2027-01', '2027-02', '2027-03']
    expect(before.map(instant).slice(-3)).toEqual(months.map((month) => `${month}-01T00:00`))
  })

  test('whose first scans are gone begins with the UTC day of its date, and says so', () => {
    const firstCompleteDay = Date.parse('2026-03-01') / 86_400_000
    const now = '2026-03-05T10:20:00Z'
    const range = ranged({ range: '7d', tz: 'Europe/Berlin' }, now, { firstCompleteDay })
    expect(range.snapped).toBe(true)
    expect(ends([range.from, range.to])).toEqual(['2026-02-27T00:00', '2026-03-05T23:00'])
    const [first, second] = pointsOf(range).starts.map(instant)
    expect([first, second]).toEqual(['2026-02-27T00:00', '2026-02-27T23:00'])
    for (const asked of [{ range: '7d' }, { range: '24h', tz: 'Europe/Berlin' }] as const) {
      expect(ranged(asked, now, { firstCompleteDay }).snapped).toBe(false)
    }
  })
})

describe('in every zone', () => {
  const years = inTurn([2024, 2025, 2026], 1)

  test('each day of a year has what clocks there show, also when they change', () => {
    for (const [index, tz] of someOf(zones, 4).entries()) {
      const clocks = clocksOf(tz)
      for (const year of years) {
        const asked = { from: `${year}-01-01`, to: `${year}-12-31` } as const
        const range = ranged({ ...asked, range: 'free', by: 'day', tz }, '2027-06-01T00:00:00Z')
        const points = pointsOf(range)
        const changes = range.offsets.map(({ from }) => from)
        const some = [range.from, range.to - 1, range.from + ((index * 3_491) % (300 * DAY))]
        const around = changes.flatMap((change) =>
          [-DAY, -8, -4, -1, 0, 1, 4, 8, DAY].map((by) => change + by),
        )
        for (const quarter of [...some, ...around]) {
          if (quarter < range.from || quarter >= range.to) continue
          expect([tz, labelAt(points, quarter)]).toEqual([tz, clocks(quarter).slice(0, 10)])
        }
        expect([tz, clocks(range.from - 1).slice(0, 4)]).toEqual([tz, String(year - 1)])
      }
    }
  })

  test('each hour of a night in which clocks change is one point', () => {
    for (const tz of someOf(zones, 4)) {
      const clocks = clocksOf(tz)
      const year = ranged(
        { range: 'free', from: '2025-01-01', to: '2025-12-31', tz },
        '2026-01-02T00:00:00Z',
      )
      for (const [index, { from: change, ahead }] of year.offsets.entries()) {
        // Two stations in the Antarctic have gone back by hours at once, and the Chatham Islands do so
        // within an hour: what comes twice there is in the last of these hours.
        const back = (year.offsets[index - 1]?.ahead ?? ahead) - ahead
        if (index === 0 || back > 4 || (back > 0 && (change + ahead + back) % 4 !== 0)) continue
        const now = new Date((change + 12) * QUARTER_MS).toISOString()
        const range = ranged({ range: '24h', tz }, now)
        const points = pointsOf(range)
        expect(new Set(points.labels).size).toBe(points.labels.length)
        expect(new Set(points.starts).size).toBe(points.starts.length)
        for (let quarter = range.from; quarter < range.to; quarter++) {
          const hour = `${clocks(quarter).slice(0, 13)}:00`
          expect([tz, now, labelAt(points, quarter)]).toEqual([tz, now, hour])
        }
      }
    }
  })

  test('points follow each other without a gap, and so do those of the period before', () => {
    const asked = fc.record({
      tz: fc.constantFrom(...zones),
      now: fc.date({
        min: new Date('2024-01-01'),
        max: new Date('2028-12-31'),
        noInvalidDate: true,
      }),
      range: fc.constantFrom<Asked['range']>(...ranges),
      weekStart: fc.integer({ min: 1, max: 7 }),
      by: fc.constantFrom<Step | undefined>(undefined, ...steps),
      days: fc.nat(400),
      first: fc.nat(500 * DAY),
      firstCompleteDay: fc.nat(500),
    })
    fc.assert(
      fc.property(asked, ({ tz, now, range, weekStart, by, days, first, firstCompleteDay }) => {
        const dateBack = (count: number) =>
          new Date(now.getTime() - count * 86_400_000).toISOString().slice(0, 10)
        const free = { from: dateBack(days + 30), to: dateBack(days) }
        const known = {
          now,
          first: quarterOf(now.getTime()) - first,
          firstCompleteDay: Math.floor(now.getTime() / 86_400_000) - firstCompleteDay,
        }
        const found = rangeOf({ tz, range, weekStart, by, ...free } as Asked, known)
        let points: ReturnType<typeof pointsOf>
        try {
          points = pointsOf(found)
        } catch {
          expect(by).toBeDefined()
          return
        }
        const { labels, starts, before } = points
        expect(labels.length).toBeLessThanOrEqual(POINTS_MAX)
        expect(starts).toHaveLength(labels.length + 1)
        expect([starts[0], starts.at(-1)]).toEqual([found.from, found.to])
        expect(starts).toEqual(starts.toSorted((one, other) => one - other))
        expect(labels).toEqual([...new Set(labels)].sort())
        if (!before) return
        expect(before).toHaveLength(starts.length)
        expect(before).toEqual(before.toSorted((one, other) => one - other))
        if (!found.snapped) expect(before.at(-1)).toBeLessThanOrEqual(found.from)
      }),
      { seed, numRuns: times(300, 10_000) },
    )
  })
})
