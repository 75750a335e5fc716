import type Stripe from 'stripe'
import { reachOf } from '#contract/links.ts'
import { WEBHOOK_PATH } from '../../src/server/billing/webhook-routes.ts'
import type { Say } from './stripe-catalogue.ts'

/** Events that tell of a change to a subscription. */
export const EVENTS = [
  'checkout.session.async_payment_failed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.completed',
  'customer.deleted',
  'customer.subscription.created',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'customer.subscription.updated',
  'invoice.paid',
  'invoice.payment_failed',
] satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** The most endpoints that are searched; Stripe allows 16. */
const ENDPOINTS_MAX = 100

/** Whether Stripe can send events to a server with this address. */
export const canReach = (publicUrl: string) =>
  reachOf(publicUrl) === 'anyone' && publicUrl.startsWith('https:')

export async function findEndpoint(
  stripe: Stripe,
  url: string,
): Promise<Stripe.WebhookEndpoint | undefined> {
  const all = stripe.webhookEndpoints.list({ limit: 100 })
  const known = await all.autoPagingToArray({ limit: ENDPOINTS_MAX })
  return known.find((endpoint) => endpoint.url === url)
}

/** Makes Stripe send its events to this server; answers the signing secret of a new endpoint. */
export async function setUpEndpoint(
  stripe: Stripe,
  publicUrl: string,
  apiVersion: Stripe.LatestApiVersion,
  say: Say,
): Promise<string | undefined> {
  if (!canReach(publicUrl)) {
    say(`webhook: none, since Stripe cannot reach ${publicUrl} over https. While trying out, run`)
    say(`  stripe listen --forward-to ${publicUrl}${WEBHOOK_PATH}`)
    return undefined
  }
  const url = publicUrl + WEBHOOK_PATH
  const before = await findEndpoint(stripe, url)
  if (before) {
    await alignEvents(stripe, before, say)
    return undefined
  }
  const made = await stripe.webhookEndpoints.create({
    url,
    enabled_events: EVENTS,
    api_version: apiVersion,
  })
  say(`webhook ${url}: made`)
  return made.secret
}

async function alignEvents(stripe: Stripe, before: Stripe.WebhookEndpoint, say: Say) {
  const isSame = [...before.enabled_events].sort().join() === [...EVENTS].sort().join()
  if (!isSame) await stripe.webhookEndpoints.update(before.id, { enabled_events: EVENTS })
  say(`webhook ${before.url}: ${isSame ? 'as it should be' : 'changed'}`)
}
