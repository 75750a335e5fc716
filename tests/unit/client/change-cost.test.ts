import { expect, test } from 'vitest'
import { changeCost, NEXT_PAGE } from '../../../src/client/billing/plans/change-cost.tsx'

const currentPeriodEnd = '2027-03-03T12:00:00.000Z'
const preview = { dueToday: 275, renewal: 1399, renewsAt: '2027-04-03T12:00:00.000Z' }
const YEAR =
  'You keep Professional, billed annually, until Mar 3, 2027. On that day your plan changes'
const MONTH = YEAR.replace('annually', 'monthly')

// Stripe does not say when a lower plan with a longer period begins.
test.each([
  ['monthly', 'unlimited', 'monthly', 'Unlimited renews on Apr 3, 2027 for $13.99 a month.'],
  ['monthly', 'professional', 'annual', 'Professional renews on Apr 3, 2027 for $13.99 a year.'],
  ['monthly', 'starter', 'monthly', `${MONTH} to Starter, billed monthly.`],
  ['annual', 'starter', 'annual', `${YEAR} to Starter, billed annually.`],
  ['annual', 'professional', 'monthly', `${YEAR} to Professional, billed monthly.`],
  ['annual', 'unlimited', 'monthly', `${YEAR} to Unlimited, billed monthly.`],
  ['monthly', 'starter', 'annual', NEXT_PAGE],
] as const)('from Professional, %s, to %s, %s: %s', (from, tier, billing, text) => {
  const paid = { tier: 'professional', billing: from, currentPeriodEnd, status: 'active' } as const
  const cost = changeCost(paid, { tier, billing }, preview)
  expect(cost.replace('You pay $2.75 today. ', '')).toBe(text)
  expect(cost.startsWith('You pay $2.75 today.')).toBe(/renews/.test(text))
  expect(changeCost(paid, { tier, billing }, null)).toBe(/renews/.test(text) ? NEXT_PAGE : text)
  // A plan that ends neither renews nor changes on that day.
  expect(changeCost({ ...paid, status: 'canceling' }, { tier, billing }, preview)).toBe(NEXT_PAGE)
})
