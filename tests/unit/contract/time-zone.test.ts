import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeZone } from '../../../src/contract/analytics/analytics.ts'
import { seed, times } from '../../support/soak.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['Etc/GMT+3', 'Etc/GMT+3'],
  ['Etc/GMT-14', 'Etc/GMT-14'],
  ['US/Eastern', 'America/New_York'],
])('a browser may send %s', (sent, zone) => {
  expect(timeZone.parse(sent)).toBe(zone)
})

// Chromium says Asia/Calcutta where Firefox says Asia/Kolkata, which is today's name.
test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
])('%s is %s', (old, current) => {
  expect(timeZone.parse(old)).toBe(current)
  expect(timeZone.parse(current)).toBe(current)
})

test.each(['', 'Mars/Olympus', 'Etc/Unknown', '+01:00', '-0930', 'UTC+1', 'a'.repeat(65)])(
  '"%s" is no time zone',
  (sent) => {
    expect(timeZone.safeParse(sent).success).toBe(false)
  },
)

test('a zone in any case is that zone, so that no spelling adds to what the reports keep', () => {
  const spelling = fc
    .constantFrom(...Intl.supportedValuesOf('timeZone'))
    .chain((name) => fc.tuple(fc.constant(name), fc.mixedCase(fc.constant(name))))
  const property = fc.property(spelling, ([name, mixed]) => {
    expect(timeZone.parse(mixed)).toBe(timeZone.parse(name))
  })
  fc.assert(property, { seed, numRuns: times(200, 20_000) })
})
