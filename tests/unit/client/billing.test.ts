import { expect, test } from 'vitest'
import { renewalText } from '../../../src/client/billing/plans/billing-card.tsx'
import { discountText } from '../../../src/client/billing/plans/plan-change.tsx'
import {
  comingEnd,
  freeSubscription,
  hasTrialOffer,
  limitNote,
  needsWarning,
  shownCount,
  shownSubscription,
  usagePercent,
  usageText,
} from '../../../src/client/billing/plans/usage.ts'
import { invoiceStatus } from '../../../src/client/billing/status-badge.tsx'
import {
  money,
  monthlyPrice,
  planText,
  priceText,
  taxNote,
  yearlyCharge,
  yearlySaving,
} from '../../../src/client/ui/prices.ts'
import { plans, UNLIMITED } from '../../../src/contract/billing/plans.ts'

const ALL_USED =
  'You’ve used all 3 QR codes on the Free plan. To create another, upgrade or delete one.'
const TOO_MANY =
  'You have 5 QR codes, and the Free plan includes 3. They stay as they are. To create another, upgrade or delete some.'

test.each([
  [1, 4, 'free', '1/4 QR codes', 25, false, null],
  [80, 100, 'professional', '80/100 QR codes', 80, false, null],
  [81, 100, 'professional', '81/100 QR codes', 81, true, null],
  [9, 10, 'unlimited', '9/10 QR codes', 90, false, null],
  [3, 3, 'free', '3/3 QR codes', 100, true, ALL_USED],
  [5, 3, 'free', '5/3 QR codes', 100, false, TOO_MANY],
  [12, UNLIMITED, 'unlimited', '12 QR codes', null, false, null],
  [0, 0, 'free', '0/0 QR codes', null, false, null],
] as const)(
  '%i codes of %i on the plan %s read %s',
  (qrCodeCount, qrCodeLimit, tier, text, percent, warns, note) => {
    const usage = { qrCodeCount, qrCodeLimit, tier }
    expect(usageText(usage)).toBe(text)
    expect(usagePercent(usage)).toBe(percent)
    expect(needsWarning(usage)).toBe(warns)
    expect(limitNote(usage)).toBe(note)
  },
)

test('a day that has passed is not told as the end of a plan', () => {
  const now = new Date('2026-06-15T12:00:00Z')
  const [past, currentPeriodEnd] = ['2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z']
  expect(comingEnd({ currentPeriodEnd }, now)).toBe(currentPeriodEnd)
  expect(comingEnd({ currentPeriodEnd: past }, now)).toBeNull()
  const late = { ...freeSubscription(), status: 'past_due', currentPeriodEnd: past }
  expect(renewalText(late)).toBe('Cancel anytime.')
})

test('an account without a subscription has the free plan', () => {
  expect(freeSubscription()).toMatchObject({ tier: 'free', status: 'active', qrCodeCount: 0 })
  expect(usageText(freeSubscription(2))).toBe('2/3 QR codes')
})

test('a subscription that cannot be read has no numbers, and an answer without one is the free plan', () => {
  expect(shownSubscription({ data: undefined, isError: true }, 2)).toBeNull()
  expect(shownSubscription({ data: undefined, isError: false }, 2)).toBeUndefined()
  expect(shownSubscription({ data: null, isError: false }, 2)).toEqual(freeSubscription(2))
  const read = freeSubscription(1)
  expect(shownSubscription({ data: read, isError: true }, 2)).toBe(read)
})

test('Total QR Codes is the analytics’ number, else that of the subscription', () => {
  const free = freeSubscription(2)
  expect(shownCount({ totalQrCodes: 3 }, free)).toBe(3)
  expect(shownCount(undefined, free)).toBeUndefined()
  expect([shownCount(null, free), shownCount(null, undefined), shownCount(null, null)]).toEqual([
    2,
    undefined,
    null,
  ])
})

test.each([
  ['stripe', null, true],
  ['stripe', {}, true],
  ['stripe', { billing: 'monthly' }, false],
  ['stripe', { hadTrial: true }, false],
  ['stripe', undefined, false],
  ['sandbox', null, false],
] as const)(
  'payments by %s with the subscription %j offer a free trial: %s',
  (by, read, offers) => {
    expect(hasTrialOffer(by, read && { ...freeSubscription(), ...read })).toBe(offers)
  },
)

test.each([
  ['starter', 'annual', '$3.99', 'billed $47.88 yearly', 'saves 20%'],
  ['professional', 'annual', '$6.99', 'billed $83.88 yearly', 'saves 17.7%'],
  ['unlimited', 'annual', '$11.99', 'billed $143.88 yearly', 'saves 14.3%'],
  ['starter', 'monthly', '$4.99', null, null],
  ['free', 'annual', '$0', null, null],
] as const)('the plan %s, billed %s, costs %s a month', (tier, billing, price, charge, saving) => {
  expect(monthlyPrice(plans[tier], billing)).toBe(price)
  expect(yearlyCharge(plans[tier], billing)).toBe(charge)
  expect(yearlySaving(plans[tier], billing)).toBe(saving)
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

test('a discount says for how long it lasts, and of an open payment that it is for today', () => {
  const once = {
    percentOff: 20,
    amountOff: null,
    currency: null,
    lasts: 'once',
    until: null,
  } as const
  expect(discountText(once)).toBe('20% off the next bill')
  expect(discountText(once, 'today')).toBe('20% off today')
  expect(discountText({ ...once, until: '2027-03-03T12:00:00Z' })).toBe('20% off until Mar 3, 2027')
})

test('a price says whether tax comes on top, if Stripe says so', () => {
  const monthly = { tier: 'starter', billing: 'monthly' } as const
  expect(taxNote({ starter_monthly: 'exclusive' }, monthly)).toBe('plus tax')
  expect(taxNote({ starter_monthly: 'inclusive' }, monthly)).toBe('incl. tax')
  expect(taxNote({ starter_annual: 'exclusive' }, monthly)).toBeNull()
  expect(taxNote(undefined, monthly)).toBeNull()
})
