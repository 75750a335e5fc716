import { expect, test } from 'vitest'
import { amountText, planText, priceText } from '../../../src/client/billing/sandbox/amounts.ts'
import { planDifferences } from '../../../src/client/billing/sandbox/plan-differences.ts'

test.each([
  ['starter', 'professional', ['QR codes: 10 (now 3)', 'Custom URLs: included (now not included)']],
  ['professional', 'unlimited', ['QR codes: no limit (now 10)']],
  [
    ...(['unlimited', 'starter'] as const),
    ['QR codes: 3 (now no limit)', 'Custom URLs: not included (now included)'],
  ],
  ['starter', 'starter', []],
] as const)('who changes from %s to %s reads what becomes different', (from, to, differences) => {
  expect(planDifferences(from, to)).toEqual(differences)
})

test('amounts, plans and prices read as on a bill', () => {
  expect([8388, 0, -4788].map(amountText)).toEqual(['$83.88', '$0.00', '−$47.88'])
  expect(planText({ tier: 'unlimited', billing: 'monthly' })).toBe('Unlimited, billed monthly')
  expect(priceText(499, 'monthly')).toBe('$4.99 a month')
  expect(priceText(4788, 'annual')).toBe('$47.88 a year')
})
