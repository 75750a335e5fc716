import Stripe from 'stripe'
import { stripeOf } from '../../src/server/billing/stripe/stripe-client.ts'
import { choices, lookupKey } from '../../src/server/billing/stripe/stripe-prices.ts'
import type { StripeSettings } from '../../src/server/config.ts'
import { type Finding, sayAll } from '../../src/server/doctor/finding.ts'
import { canReach, EVENTS, isOlder, listEndpoints } from './stripe-endpoint.ts'

/** Whether Stripe takes the key, has our prices and sends its events here. @throws the SDK's error */
export async function checkStripe(settings: StripeSettings, publicUrl: string): Promise<Finding[]> {
  const stripe = await stripeOf(settings, { maxNetworkRetries: 0 })
  const keys = choices.map(lookupKey)
  const { data } = await stripe.prices.list({ lookup_keys: keys, active: true, limit: 100 })
  const missing = keys.filter((key) => data.every(({ lookup_key }) => lookup_key !== key))
  const [endpoint] = await listEndpoints(stripe, publicUrl)
  const events = endpoint?.enabled_events ?? EVENTS
  const conditions = {
    prices: missing.length > 0,
    endpoint: canReach(publicUrl) && endpoint === undefined,
    disabled: endpoint?.status === 'disabled',
    version: endpoint !== undefined && isOlder(endpoint, Stripe.API_VERSION),
    events: EVENTS.some((event) => !events.includes(event)),
  }
  return sayAll('payments', conditions, { prices: missing.join(', ') })
}
