import { describe, expect, it, test } from 'vitest'
import {
  changeCost,
  clockAfter,
  periodEndAfter,
  periodFrom,
  renewal,
} from '../../../src/server/billing/sandbox/sandbox-rules.ts'

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const day = (instant: number | null) => instant && new Date(instant).toISOString().slice(0, 10)

describe('a period', () => {
  it.each([
    ['2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']],
    ['2027-12-30', ['2028-01-30', '2028-02-29', '2028-03-30', '2028-04-30']],
    ['2026-06-15', ['2026-07-15', '2026-08-15', '2026-09-15', '2026-10-15']],
  ])('of a month that begins on %s ends on its day, or on the last of a month', (from, ends) => {
    let now = at(from)
    for (const end of ends) {
      now = periodEndAfter(at(from), 'monthly', now)
      expect(day(now)).toBe(end)
    }
  })

  it('of a year that begins on a leap day ends on February 28, except in leap years', () => {
    const from = at('2024-02-29')
    expect(day(periodEndAfter(from, 'annual', from))).toBe('2025-02-28')
    expect(day(periodEndAfter(from, 'annual', at('2027-03-01')))).toBe('2028-02-29')
  })

  it('ends after the instant that is asked for, to the millisecond', () => {
    const from = at('2026-01-15')
    const end = at('2026-02-15')
    expect(periodEndAfter(from, 'monthly', end - 1)).toBe(end)
    expect(day(periodEndAfter(from, 'monthly', end))).toBe('2026-03-15')
  })
})

test.each([
  ['month', '2026-02-28'],
  ['period', '2026-07-04'],
  ['year', '2027-01-31'],
] as const)('the test clock goes on by a %s', (step, expected) => {
  expect(day(clockAfter(at('2026-01-31'), step, at('2026-07-04')))).toBe(expected)
})

test('the test clock never goes back', () => {
  expect(day(clockAfter(at('2026-01-31'), 'period', at('2025-07-04')))).toBe('2026-01-31')
})

const starter = { tier: 'starter', billing: 'monthly' } as const

test('a renewed period begins where the last one ended, paid or not', () => {
  const subscription = {
    ...starter,
    ...periodFrom(at('2026-01-31'), starter),
    status: 'active' as const,
    id: 'sub_1',
    customer_id: 'cus_1',
    ends_at_period_end: 0,
    next_tier: null,
    next_billing: null,
    created_at: at('2026-01-31'),
  }
  const period = { period_start: at('2026-02-28'), period_end: at('2026-03-31') }
  expect(renewal(subscription, true)).toMatchObject({ ...starter, status: 'active', ...period })
  expect(renewal(subscription, false)).toMatchObject({ status: 'past_due', ...period })
})

describe('a change of plan costs the new price less the unused part of the old period', () => {
  const current = {
    ...starter,
    billing: 'annual',
    ...periodFrom(at('2026-01-01'), starter),
  } as const
  const paid = { ...current, period_end: at('2027-01-01') }
  /** A fifth of 365 days */
  const later = at('2026-03-15')

  it.each([
    ['unlimited', 'annual', later, { due: 10_558, waitsUntil: null }],
    ['unlimited', 'monthly', later, { due: 0, waitsUntil: paid.period_end }],
    ['unlimited', 'annual', paid.period_start - 5, { due: 9_600, waitsUntil: null }],
    ['unlimited', 'annual', paid.period_end + 5, { due: 14_388, waitsUntil: null }],
  ] as const)('to %s, billed %s, at %d', (tier, billing, now, cost) => {
    expect(changeCost(paid, { tier, billing }, now)).toEqual(cost)
  })
})
