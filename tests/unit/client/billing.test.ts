import { describe, expect, it, test } from 'vitest'
import {
  freeSubscription,
  limitNote,
  needsWarning,
  usagePercent,
  usageText,
} from '../../../src/client/billing/plans/usage.ts'
import { invoiceStatus } from '../../../src/client/billing/status-badge.tsx'
import {
  money,
  monthlyPrice,
  planText,
  priceText,
  yearlyCharge,
  yearlySaving,
} from '../../../src/client/ui/formats.ts'
import { plans, UNLIMITED } from '../../../src/contract/plans.ts'

const usage = (qrCodeCount: number, qrCodeLimit: number) => ({ qrCodeCount, qrCodeLimit })

describe('plan usage', () => {
  it('is the count of the limit in percent, at most 100', () => {
    expect(usagePercent(usage(1, 4))).toBe(25)
    expect(usagePercent(usage(7, 3))).toBe(100)
  })

  it('has no percentage without a limit', () => {
    expect(usagePercent(usage(7, UNLIMITED))).toBeNull()
    expect(usagePercent(usage(0, 0))).toBeNull()
  })

  it('reads N/limit QR codes, or N QR codes without a limit', () => {
    expect(usageText(usage(2, 3))).toBe('2/3 QR codes')
    expect(usageText(usage(12, UNLIMITED))).toBe('12 QR codes')
  })

  it('warns above 80 percent, not at it, and never on unlimited', () => {
    expect(needsWarning({ ...usage(80, 100), tier: 'professional' })).toBe(false)
    expect(needsWarning({ ...usage(81, 100), tier: 'professional' })).toBe(true)
    expect(needsWarning({ ...usage(9, 10), tier: 'unlimited' })).toBe(false)
  })

  it('says at the limit and beyond it what is so', () => {
    expect(limitNote({ ...usage(2, 3), tier: 'free' })).toBeNull()
    expect(limitNote({ ...usage(3, 3), tier: 'free' })).toBe(
      'You have used all 3 QR codes of the Free plan. To make another one, upgrade or delete one.',
    )
    expect(needsWarning({ ...usage(3, 3), tier: 'free' })).toBe(true)
    expect(limitNote({ ...usage(5, 3), tier: 'free' })).toMatch(/^You have 5 QR codes/)
    expect(needsWarning({ ...usage(5, 3), tier: 'free' })).toBe(false)
    expect(limitNote({ ...usage(5, UNLIMITED), tier: 'unlimited' })).toBeNull()
  })

  it('without a subscription record is that of the free plan', () => {
    expect(freeSubscription()).toMatchObject({ tier: 'free', status: 'active', qrCodeCount: 0 })
    expect(usageText(freeSubscription(2))).toBe('2/3 QR codes')
  })
})

describe('a price', () => {
  it('is per month, and annual billing adds what a year costs', () => {
    expect(monthlyPrice(plans.starter, 'annual')).toBe('$3.99')
    expect(yearlyCharge(plans.starter, 'annual')).toBe('billed $47.88 yearly')
    expect(yearlyCharge(plans.starter, 'monthly')).toBeNull()
  })

  it('says what a year saves on its own plan', () => {
    expect(yearlySaving(plans.starter, 'annual')).toBe('saves 20%')
    expect(yearlySaving(plans.professional, 'annual')).toBe('saves 17.7%')
    expect(yearlySaving(plans.unlimited, 'annual')).toBe('saves 14.3%')
    expect(yearlySaving(plans.starter, 'monthly')).toBeNull()
    expect(yearlySaving(plans.free, 'annual')).toBeNull()
  })

  it('of the free plan is $0, and nothing is billed', () => {
    expect(monthlyPrice(plans.free, 'annual')).toBe('$0')
    expect(yearlyCharge(plans.free, 'annual')).toBeNull()
  })
})

test.each([
  [8388, 'usd', '$83.88'],
  [0, 'usd', '$0.00'],
  [499, 'EUR', '€4.99'],
  [900, 'jpy', '¥900'],
])('%d of the smallest unit of %s reads %s', (amount, currency, text) => {
  expect(money(amount, currency)).toBe(text)
})

test('plans and prices read as on a bill', () => {
  expect(planText({ tier: 'unlimited', billing: 'monthly' })).toBe('Unlimited, billed monthly')
  expect(priceText(499, 'monthly')).toBe('$4.99 a month')
  expect(priceText(4788, 'annual')).toBe('$47.88 a year')
})

test.each([
  ['paid', 'Paid'],
  ['open', 'Due'],
  ['uncollectible', 'Not paid'],
  ['void', 'Void'],
])('an invoice that is %s reads %s', (status, text) => {
  expect(invoiceStatus(status).text).toBe(text)
})
