import type Stripe from 'stripe'
import type { ChangePreview } from '#contract/billing.ts'
import { SECOND_MS } from '#contract/time.ts'
import type { SubscriptionChange } from '../provider.ts'
import { idOf } from './stripe-client.ts'
import { itemOf, type StripePrices } from './stripe-prices.ts'

/**
 * Returns the cost of a change that takes effect at once. Stripe previews two invoices with their taxes
 * and discounts: that of the change, and that of a later period.
 */
export async function previewChange(
  stripe: Stripe,
  prices: StripePrices,
  { subscriptionId, ...choice }: SubscriptionChange,
): Promise<ChangePreview> {
  const subscription = await stripe.subscriptions.retrieve(subscriptionId)
  const { id } = itemOf(subscription)
  const price = await prices.idOf(stripe, choice)
  const items = [{ id, price, quantity: 1 }]
  const wanted = {
    customer: idOf(subscription.customer),
    subscription: subscriptionId,
    subscription_details: {
      items,
      // As in the portal's settings, whose changes end a trial.
      proration_behavior: 'always_invoice',
      trial_end: subscription.status === 'trialing' ? 'now' : undefined,
    },
  } satisfies Stripe.InvoiceCreatePreviewParams
  const [change, period] = await Promise.all([
    stripe.invoices.createPreview(wanted),
    stripe.invoices.createPreview({
      customer: wanted.customer,
      subscription: subscriptionId,
      preview_mode: 'recurring',
      subscription_details: { items, proration_behavior: 'none' },
    }),
  ])
  const ends = change.lines.data.map((line) => line.period.end)
  return {
    dueToday: change.amount_due,
    renewal: period.total,
    renewsAt: new Date(Math.max(...ends) * SECOND_MS).toISOString(),
  }
}
