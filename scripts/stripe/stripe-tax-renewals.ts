import type Stripe from 'stripe'
import { planItem } from '../../src/server/billing/stripe/stripe-prices.ts'
import type { Say } from './stripe-catalogue.ts'

/** Subscriptions that renew, or will once they are paid. */
const RENEWING = /^(active|trialing|past_due)$/

/**
 * Lets Stripe compute the tax of running subscriptions from their next bill on. Those for which it
 * cannot are listed with the reason; they renew without tax.
 */
export async function taxRenewals(stripe: Stripe, say: Say): Promise<void> {
  const list = stripe.subscriptions.list({
    automatic_tax: { enabled: false },
    limit: 100,
    expand: ['data.customer.tax'],
  })
  let taxed = 0
  for await (const subscription of list) {
    const { id, status } = subscription
    const item = planItem(subscription)
    if (!item || !RENEWING.test(status)) continue
    const reason = reasonAgainst(subscription, item.price)
    if (reason) {
      say(`subscription ${id}: renews without tax: ${reason}`)
      continue
    }
    await stripe.subscriptions.update(id, {
      automatic_tax: { enabled: true },
      proration_behavior: 'none',
    })
    taxed += 1
  }
  say(`tax: ${taxed} subscriptions renew with it from now on`)
}

/** Statuses of a customer whose place Stripe does not know */
const UNKNOWN = /^(unrecognized_location|failed)$/

/** Why Stripe cannot compute the tax of a subscription; undefined if it can. */
function reasonAgainst(
  { customer, schedule, default_tax_rates, items }: Stripe.Subscription,
  { tax_behavior }: Stripe.Price,
): string | undefined {
  const location = typeof customer === 'string' || customer.deleted ? undefined : customer.tax
  // Without a registration there Stripe adds no tax, until there is one.
  if (!location || UNKNOWN.test(location.automatic_tax)) {
    return 'Stripe does not know where the customer is'
  }
  if (tax_behavior === null || tax_behavior === 'unspecified') {
    return 'its former price does not say whether it contains tax'
  }
  if (schedule) return 'a change of its plan is scheduled'
  const rates = [default_tax_rates, ...items.data.map((item) => item.tax_rates)]
  return rates.some((each) => each?.length) ? 'it has tax rates of its own' : undefined
}
