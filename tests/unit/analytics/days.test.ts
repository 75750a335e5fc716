import fc from 'fast-check'
import { expect, test } from 'vitest'
import { analyticsQuery } from '../../../src/contract/analytics/analytics.ts'
import { DAY_MS } from '../../../src/contract/time.ts'
import { lastDays, QUARTER_MS, quarterOf } from '../../../src/server/dates.ts'
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

test.each([
  // The day of 23 hours
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
  // The day of 25 hours
  ['Europe/Berlin', '2025-10-26', '2025-10-25T22:00Z', '2025-10-26T23:00Z'],
  // A day without a midnight: clocks went from 23:59:59 to 01:00.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00Z', '2018-11-05T02:00Z'],
  // The hour before midnight comes twice.
  ['America/Sao_Paulo', '2019-02-16', '2019-02-16T02:00Z', '2019-02-17T03:00Z'],
  // Midnight comes twice.
  ['America/Havana', '2024-11-03', '2024-11-03T04:00Z', '2024-11-04T05:00Z'],
])('in %s the day %s begins and ends when it does there', (zone, date, begin, end) => {
  const last = lastDays(30, zone, new Date(Date.parse(end) + 5 * DAY_MS))
  expect(last).toHaveLength(30)
  const [from, to] = [begin, end].map((edge) => quarterOf(Date.parse(edge)))
  expect(last.find((day) => day.date === date)).toEqual({ date, from, to })
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
