import { PERIOD_S } from './books.ts'
import { endpoint } from './endpoint.ts'
import type { Price } from './objects.ts'
import * as take from './parameters.ts'
import { found } from './refusals.ts'

/** An invoice that is not made: that of a change of a subscription at once, or that of a new one. */
export const previewEndpoint = endpoint(
  'POST /v1/invoices/create_preview',
  take.invoicePreview,
  (books, { customer, subscription, subscription_details: { items, trial_end } }) => {
    const [wanted] = items
    const { price, customer: payer } = books.order(customer, wanted?.price, 'items[0][price]')
    const paid = subscription ? books.subscription(subscription, 'subscription').items.data : []
    const item = subscription && found(paid[0], 'subscription_item', wanted?.id ?? '', 'items')
    // A trial that ends has nothing to be paid back, and begins a period.
    const before = item && !trial_end ? item : undefined
    const start = books.seconds()
    const partOf = ({ unit_amount, recurring: { interval } }: Price, end: number) =>
      Math.round((unit_amount * (end - start)) / PERIOD_S[interval])
    const { interval } = price.recurring
    const runsOn = before?.price.recurring.interval === interval
    const end = before && runsOn ? before.current_period_end : start + PERIOD_S[interval]
    const unused = before ? partOf(before.price, before.current_period_end) : 0
    const total = partOf(price, end) - unused
    const data = [{ amount: total, period: { start, end } }]
    return {
      object: 'invoice',
      total,
      amount_due: Math.max(0, total + (payer.balance ?? 0)),
      lines: { object: 'list', data, has_more: false },
    }
  },
)
