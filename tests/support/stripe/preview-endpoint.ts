import { PERIOD_S } from './books.ts'
import { endpoint } from './endpoint.ts'
import * as take from './parameters.ts'

/** The part of the former plan's price that a change pays back, in cents */
export const UNUSED = 425

/** An invoice that is not made: that of a change of a subscription at once, or that of a later period. */
export const previewEndpoint = endpoint(
  'POST /v1/invoices/create_preview',
  take.invoicePreview,
  (books, { customer, subscription, preview_mode, subscription_details: { items, trial_end } }) => {
    const [wanted] = items
    const { price, customer: payer } = books.order(customer, wanted?.price, 'items[0][price]')
    const { discounts } = books.subscription(subscription, 'subscription')
    // A trial that ends has nothing to be paid back.
    const unused = preview_mode === 'recurring' || trial_end ? 0 : UNUSED
    const off = discounts[0]?.source.coupon.percent_off ?? 0
    const total = Math.round((price.unit_amount * (100 - off)) / 100) - unused
    const start = books.seconds()
    const end = start + PERIOD_S[price.recurring.interval]
    return {
      object: 'invoice',
      total,
      amount_due: Math.max(0, total + (payer.balance ?? 0)),
      lines: { object: 'list', data: [{ amount: total, period: { start, end } }], has_more: false },
    }
  },
)
