import { describe, expect, test } from 'vitest'
import { latestPeriod, nextTurn } from '../../../src/server/analytics/mails/mail-times.ts'

const at = (instant: string) => new Date(instant)

describe('the period whose mail is due', () => {
  test.each([
    // Monday, November 23, 2026, 7:00 in Berlin is 6:00 in UTC.
    ['weekly', 'Europe/Berlin', '2026-11-23T05:59:59Z', '2026-11-09', '2026-11-15'],
    ['weekly', 'Europe/Berlin', '2026-11-23T06:00:00Z', '2026-11-16', '2026-11-22'],
    ['weekly', 'Europe/Berlin', '2026-11-29T23:00:00Z', '2026-11-16', '2026-11-22'],
    ['weekly', 'America/New_York', '2026-11-23T11:59:00Z', '2026-11-09', '2026-11-15'],
    ['weekly', 'America/New_York', '2026-11-23T12:00:00Z', '2026-11-16', '2026-11-22'],
    ['weekly', 'Asia/Kathmandu', '2026-11-23T01:15:00Z', '2026-11-16', '2026-11-22'],
    ['weekly', 'Asia/Kathmandu', '2026-11-23T01:14:00Z', '2026-11-09', '2026-11-15'],
    ['weekly', 'Pacific/Kiritimati', '2026-11-22T17:00:00Z', '2026-11-16', '2026-11-22'],
    ['monthly', 'Europe/Berlin', '2026-12-01T05:59:00Z', '2026-10-01', '2026-10-31'],
    ['monthly', 'Europe/Berlin', '2026-12-01T06:00:00Z', '2026-11-01', '2026-11-30'],
    ['monthly', 'UTC', '2028-03-01T07:00:00Z', '2028-02-01', '2028-02-29'],
    ['monthly', 'Pacific/Auckland', '2026-12-31T18:00:00Z', '2026-12-01', '2026-12-31'],
    ['weekly', 'Nowhere/AtAll', '2026-11-23T07:00:00Z', '2026-11-16', '2026-11-22'],
  ] as const)('%s in %s at %s: from %s to %s', (every, zone, now, first, last) => {
    expect(latestPeriod(every, zone, at(now))).toEqual({ first, last })
  })
})

describe('the next mail', () => {
  test.each([
    ['weekly', 'Europe/Berlin', '2026-11-23T05:59:00Z', '2026-11-23T06:00:00.000Z'],
    ['weekly', 'Europe/Berlin', '2026-11-23T06:00:00Z', '2026-11-30T06:00:00.000Z'],
    // Clocks go forward in the night to Sunday, March 29, and back in that to October 25.
    ['weekly', 'Europe/Berlin', '2026-03-23T06:00:00Z', '2026-03-30T05:00:00.000Z'],
    ['weekly', 'Europe/Berlin', '2026-10-19T05:00:00Z', '2026-10-26T06:00:00.000Z'],
    ['monthly', 'America/New_York', '2026-10-01T11:00:00Z', '2026-11-01T12:00:00.000Z'],
    ['monthly', 'Australia/Lord_Howe', '2026-09-15T00:00:00Z', '2026-09-30T20:30:00.000Z'],
    ['monthly', 'Australia/Lord_Howe', '2026-10-15T00:00:00Z', '2026-10-31T20:00:00.000Z'],
    ['monthly', 'UTC', '2026-01-31T12:00:00Z', '2026-02-01T07:00:00.000Z'],
  ] as const)('%s in %s after %s comes at %s', (every, zone, now, next) => {
    expect(nextTurn(every, zone, at(now)).toISOString()).toBe(next)
  })

  test('is at seven and once a week, also through the changes of a year', () => {
    for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Africa/Casablanca', 'Asia/Tehran']) {
      const clock = new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        weekday: 'long',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      })
      let now = at('2026-01-01T00:00:00Z')
      let last = latestPeriod('weekly', zone, now).last
      for (let week = 0; week < 53; week++) {
        now = nextTurn('weekly', zone, now)
        expect([zone, clock.format(now)]).toEqual([zone, 'Monday 07:00'])
        const next = latestPeriod('weekly', zone, now)
        expect(Date.parse(next.first) - Date.parse(last)).toBe(86_400_000)
        last = next.last
      }
    }
  })
})
