import { expect, test } from 'vitest'
import { amountText, statusText } from '../../../src/client/billing/plans/invoice-text.ts'

test.each([
  [8388, 'usd', '$83.88'],
  [0, 'usd', '$0.00'],
  [499, 'EUR', '€4.99'],
  [900, 'jpy', '¥900'],
])('%d of the smallest part of %s reads %s', (amount, currency, text) => {
  expect(amountText({ amount, currency })).toBe(text)
})

test.each([
  ['paid', 'Paid'],
  ['open', 'Due'],
  ['uncollectible', 'Not paid'],
  ['void', 'Void'],
])('an invoice that is %s reads %s', (status, text) => {
  expect(statusText(status)).toBe(text)
})
