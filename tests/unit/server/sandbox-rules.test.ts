import { describe, expect, it, test } from 'vitest'
import { clockAfter, periodEndAfter } from '../../../src/server/billing/sandbox/periods.ts'
import { afterCredit, prorate } from '../../../src/server/billing/sandbox/proration.ts'
import { type Course, nextStepAt, takeStep } from '../../../src/server/billing/sandbox/renewal.ts'

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

  it('of a year that begins on a leap day ends on February 28, but in leap years', () => {
    const from = at('2024-02-29')
    expect(day(periodEndAfter(from, 'annual', from))).toBe('2025-02-28')
    expect(day(periodEndAfter(from, 'annual', at('2027-03-01')))).toBe('2028-02-29')
  })

  it('ends after the instant that it is asked for, to the millisecond', () => {
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

const course: Course = {
  ...{ billing: 'monthly', status: 'active', ends_at_period_end: 0, failures: 0, failed_at: null },
  ...{ anchor_at: at('2026-01-31'), period_start: at('2026-01-31'), period_end: at('2026-02-28') },
}

describe('a subscription', () => {
  it('renews at the end of its period', () => {
    expect(day(nextStepAt(course))).toBe('2026-02-28')
    const { step, course: next } = takeStep(course, true)
    expect(step).toBe('renewed')
    expect(next).toMatchObject({ status: 'active', period_start: at('2026-02-28') })
    expect(day(next.period_end)).toBe('2026-03-31')
  })

  it('that is to end does so instead, paid or not', () => {
    for (const pays of [true, false]) {
      const ended = takeStep({ ...course, ends_at_period_end: 1 }, pays)
      expect(ended).toMatchObject({ step: 'ended', course: { status: 'canceled' } })
      expect(nextStepAt(ended.course)).toBeNull()
    }
  })

  it('that cannot be renewed is tried again after 3, 5 and 7 days, and then ends', () => {
    let now = takeStep(course, false)
    expect(now).toMatchObject({ step: 'unpaid', course: { status: 'past_due' } })
    for (const attempt of ['2026-03-03', '2026-03-05']) {
      expect(day(nextStepAt(now.course))).toBe(attempt)
      now = takeStep(now.course, false)
      expect(now).toMatchObject({ step: 'still_unpaid', course: { status: 'past_due' } })
    }
    expect(day(nextStepAt(now.course))).toBe('2026-03-07')
    now = takeStep(now.course, false)
    expect(now).toMatchObject({ step: 'given_up', course: { status: 'canceled' } })
    expect(nextStepAt(now.course)).toBeNull()
  })

  it('that is paid late goes on in its period', () => {
    const late = takeStep(takeStep(takeStep(course, false).course, false).course, true)
    expect(late).toMatchObject({ step: 'paid', course: { status: 'active', failures: 0 } })
    expect(day(nextStepAt(late.course))).toBe('2026-03-31')
  })
})

describe('a change of plan', () => {
  const paid = {
    ...({ tier: 'starter', billing: 'annual', anchor_at: at('2026-01-01') } as const),
    ...{ period_start: at('2026-01-01'), period_end: at('2027-01-01') },
  }
  /** A fifth of 365 days */
  const later = at('2026-03-15')

  it('to a higher one with the same billing costs the difference for the days that are left', () => {
    expect(prorate(paid, { tier: 'unlimited', billing: 'annual' }, later, 0)).toEqual({
      ...{ charge: 11_510, unused: 3_830, credit: 0, due: 7_680, creditLeft: 0 },
      period: {
        ...{ anchor_at: paid.anchor_at, period_start: paid.period_start },
        period_end: paid.period_end,
      },
    })
  })

  it('to a lower one costs nothing, and leaves a credit', () => {
    const high = { ...paid, tier: 'unlimited' } as const
    const cost = prorate(high, { tier: 'starter', billing: 'annual' }, later, 0)
    expect(cost).toMatchObject({ due: 0, creditLeft: 7_680 })
  })

  it('of the billing begins a period of its own, less what is left of the old one', () => {
    const cost = prorate(paid, { tier: 'starter', billing: 'monthly' }, later, 0)
    expect(cost).toMatchObject({ charge: 499, unused: 3_830, due: 0, creditLeft: 3_331 })
    expect(day(cost.period.period_start)).toBe('2026-03-15')
    expect(day(cost.period.period_end)).toBe('2026-04-15')
  })

  it('uses the credit that is there', () => {
    const cost = prorate(paid, { tier: 'unlimited', billing: 'annual' }, later, 7_000)
    expect(cost).toMatchObject({ due: 680, creditLeft: 0 })
  })

  it('on the first day counts all of what was paid, and after the last nothing', () => {
    const choice = { tier: 'unlimited', billing: 'annual' } as const
    expect(prorate(paid, choice, paid.period_start - 5, 0)).toMatchObject({ unused: 4_788 })
    expect(prorate(paid, choice, paid.period_end + 5, 0)).toMatchObject({ unused: 0 })
  })
})

test('a credit pays first, and what is left of it stays', () => {
  expect(afterCredit(500, 200)).toEqual({ due: 300, creditLeft: 0 })
  expect(afterCredit(500, 700)).toEqual({ due: 0, creditLeft: 200 })
})
