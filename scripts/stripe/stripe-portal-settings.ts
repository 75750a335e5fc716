import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import {
  findConfiguration,
  PORTAL_METADATA,
} from '../../src/server/billing/stripe/stripe-portal.ts'
import type { Offer, Say } from './stripe-catalogue.ts'

/** All reasons for canceling that Stripe can offer. */
const REASONS = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
]

/** The actions that a customer has in the billing portal. */
function featuresFor(products: Offer[]) {
  return {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    // These stand on invoices. The account here keeps its own name and address.
    customer_update: { enabled: true, allowed_updates: ['name', 'email', 'address', 'tax_id'] },
    subscription_cancel: {
      enabled: true,
      mode: 'at_period_end',
      cancellation_reason: { enabled: true, options: REASONS },
    },
    subscription_update: {
      enabled: true,
      default_allowed_updates: ['price'],
      // A higher plan is paid for at once, not with the next invoice.
      proration_behavior: 'always_invoice',
      // Less is paid for from the next period on.
      schedule_at_period_end: {
        conditions: [{ type: 'decreasing_item_amount' }, { type: 'shortening_interval' }],
      },
      products,
    },
  } satisfies Stripe.BillingPortal.ConfigurationCreateParams.Features
}

/**
 * Brings the portal's configuration in line. Stripe adds many settings of its own, so the metadata
 * have a hash of what we asked for, to compare.
 */
export async function setUpPortal(stripe: Stripe, offers: Offer[], say: Say): Promise<void> {
  const features = featuresFor(offers)
  const settings = createHash('sha256').update(JSON.stringify(features)).digest('hex')
  const metadata = { ...PORTAL_METADATA, settings }
  const before = await findConfiguration(stripe)
  if (!before) {
    await stripe.billingPortal.configurations.create({ features, metadata })
    return say('billing portal: made')
  }
  if (before.metadata?.settings === settings) return say('billing portal: as it should be')
  await stripe.billingPortal.configurations.update(before.id, { features, metadata })
  say('billing portal: changed')
}
