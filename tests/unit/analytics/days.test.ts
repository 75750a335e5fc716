import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastDays } from '../../../src/server/analytics/reports/days.ts'
import { seed, times } from '../../support/soak.ts'

const QUARTER_MS = 900_000

test('in any zone and year, days follow each other and hold the instants of their date', () => {
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
  fc.assert(property, { seed, numRuns: times(100, 10_000) })
})
