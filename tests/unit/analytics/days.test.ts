import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyticsQuery } from '../../../src/contract/analytics/analytics.ts'
import { type LocalDay, lastDays, QUARTER_MS, quarterOf } from '../../../src/server/dates.ts'
import { seed, times } from '../../support/soak.ts'

test('in any zone and year, each day begins where the last one ends and has the instants of its date', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const now = fc.integer({ min: Date.UTC(2013, 0), max: Date.UTC(2035, 0) })
  const property = fc.property(zone, now, (timeZone, instant) => {
    const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
    const days = lastDays(30, timeZone, new Date(instant))
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.date).toBe(dateOf.format(instant))
    for (const [index, { date, from, to }] of days.entries()) {
      if (index > 0) expect(from).toBe(days[index - 1]?.to)
      const edges = [from * QUARTER_MS - 1, from * QUARTER_MS, to * QUARTER_MS - 1, to * QUARTER_MS]
      expect(edges.map((edge) => dateOf.format(edge) === date)).toEqual([false, true, true, false])
    }
  })
  fc.assert(property, { seed, numRuns: times(40, 10_000) })
})

/** The date of the day that holds an instant. */
function dateOf(instant: string, days: LocalDay[]): string | undefined {
  const quarter = quarterOf(Date.parse(instant))
  return days.find(({ from, to }) => from <= quarter && quarter < to)?.date
}

test.each([
  // The day of 23 hours, and its end.
  [
    'Europe/Berlin',
    '2026-04-02T10:00:00Z',
    [
      '2026-03-28T22:59:59Z',
      '2026-03-28T23:00:00Z',
      '2026-03-29T21:59:59Z',
      '2026-03-29T22:00:00Z',
    ],
    ['2026-03-28', '2026-03-29', '2026-03-29', '2026-03-30'],
  ],
  // The day of 25 hours.
  [
    'Europe/Berlin',
    '2025-10-30T10:00:00Z',
    [
      '2025-10-25T21:59:59Z',
      '2025-10-25T22:00:00Z',
      '2025-10-26T22:59:59Z',
      '2025-10-26T23:00:00Z',
    ],
    ['2025-10-25', '2025-10-26', '2025-10-26', '2025-10-27'],
  ],
  // A day without a midnight: clocks went from 23:59:59 to 01:00.
  [
    'America/Sao_Paulo',
    '2018-11-20T10:00:00Z',
    [
      '2018-11-04T02:59:59Z',
      '2018-11-04T03:00:00Z',
      '2018-11-05T01:59:59Z',
      '2018-11-05T02:00:00Z',
    ],
    ['2018-11-03', '2018-11-04', '2018-11-04', '2018-11-05'],
  ],
  // The hour before midnight comes twice.
  [
    'America/Sao_Paulo',
    '2019-03-01T10:00:00Z',
    [
      '2019-02-16T01:59:59Z',
      '2019-02-16T02:00:00Z',
      '2019-02-17T02:59:59Z',
      '2019-02-17T03:00:00Z',
    ],
    ['2019-02-15', '2019-02-16', '2019-02-16', '2019-02-17'],
  ],
  // Midnight comes twice.
  [
    'America/Havana',
    '2024-11-20T10:00:00Z',
    [
      '2024-11-03T03:59:59Z',
      '2024-11-03T04:00:00Z',
      '2024-11-03T05:00:00Z',
      '2024-11-04T05:00:00Z',
    ],
    ['2024-11-02', '2024-11-03', '2024-11-03', '2024-11-04'],
  ],
])('in %s days begin and end when they do there', (zone, now, instants, days) => {
  const last = lastDays(30, zone, new Date(now))
  expect(last).toHaveLength(30)
  expect(instants.map((instant) => dateOf(instant, last))).toEqual(days)
})

test.each(['Mars/Olympus', '', "UTC'--", '../etc/passwd', 'x'.repeat(500)])(
  '%.20s is no time zone',
  (tz) => {
    expect(analyticsQuery.safeParse({ tz }).success).toBe(false)
  },
)

test('however a zone is spelled, the library that keeps each name meets one', () => {
  const spellings = ['America/Nuuk', 'America/Godthab', 'aMERICA/nUUK', 'america/GODTHAB']
  expect(new Set(spellings.map((tz) => analyticsQuery.parse({ tz }).tz)).size).toBe(1)
})
