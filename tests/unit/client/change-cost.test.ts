import { expect, test } from 'vitest'
import { changeCost, NEXT_PAGE } from '../../../src/client/billing/plans/change-cost.tsx'
import { planText } from '../../../src/client/ui/prices.ts'
import type { BillingPeriod, PaidTier } from '../../../src/contract/plans.ts'

const currentPeriodEnd = '2027-03-03T12:00:00.000Z'
const choice = (text: string) => {
  const [tier, billing] = text.split(' ')
  return { tier: tier as PaidTier, billing: billing as BillingPeriod }
}
const cost = (from: string, to: string, dueToday: number | null) => {
  const preview =
    dueToday === null ? null : { dueToday, renewal: 1399, renewsAt: '2027-04-03T12:00:00.000Z' }
  return changeCost({ ...choice(from), currentPeriodEnd }, choice(to), preview)
}

test.each([
  ['professional monthly', 'unlimited monthly'],
  ['professional monthly', 'unlimited annual'],
  ['professional monthly', 'professional annual'],
])('a change from %s to %s is paid today', (from, to) => {
  const period = to.endsWith('annual') ? 'year' : 'month'
  expect(cost(from, to, 275)).toContain('You pay $2.75 today.')
  expect(cost(from, to, 275)).toContain(`renews on Apr 3, 2027 for $13.99 a ${period}.`)
  expect(cost(from, to, null)).toBe(NEXT_PAGE)
})

test.each([
  ['professional monthly', 'starter monthly'],
  ['professional annual', 'starter annual'],
  ['professional annual', 'professional monthly'],
  ['professional annual', 'unlimited monthly'],
])('a change from %s to %s waits until what is paid is over', (from, to) => {
  const [before, after] = [planText(choice(from)), planText(choice(to))]
  expect(cost(from, to, 275)).toBe(
    `You keep ${before}, until Mar 3, 2027. On that day your plan changes to ${after}.`,
  )
})

test('of a lower plan with a longer period only Stripe knows when it begins', () => {
  expect(cost('professional monthly', 'starter annual', 275)).toBe(NEXT_PAGE)
})
