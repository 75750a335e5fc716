import type Stripe from 'stripe'
import { reachOf } from '#contract/links.ts'
import { DAY_MS, SECOND_MS } from '#contract/time.ts'
import { WEBHOOK_PATH } from '../../src/server/billing/webhook-routes.ts'
import type { Say } from './stripe-catalogue.ts'

/** Events that tell of a change to a subscription, of one that is planned, or of a change to a payment. */
export const EVENTS = [
  'charge.dispute.closed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.refunded',
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
  'refund.failed',
  'refund.updated',
  'subscription_schedule.canceled',
  'subscription_schedule.completed',
  'subscription_schedule.created',
  'subscription_schedule.released',
  'subscription_schedule.updated',
] satisfies Stripe.WebhookEndpointCreateParams.EnabledEvent[]

/** The most endpoints that are searched; Stripe allows 16. */
const ENDPOINTS_MAX = 100

/** Whether Stripe can send events to a server with this address. */
export const canReach = (publicUrl: string) =>
  reachOf(publicUrl) === 'anyone' && publicUrl.startsWith('https:')

/** How long the former endpoint and its secret count beside a new one, at least. */
const BOTH_COUNT_MS = DAY_MS

/** The endpoints of a server, the newest first. */
export async function listEndpoints(
  stripe: Stripe,
  publicUrl: string,
): Promise<Stripe.WebhookEndpoint[]> {
  const url = publicUrl + WEBHOOK_PATH
  const all = stripe.webhookEndpoints.list({ limit: 100 })
  const known = await all.autoPagingToArray({ limit: ENDPOINTS_MAX })
  const ours = known.filter((endpoint) => endpoint.url === url)
  return ours.sort((a, b) => b.created - a.created)
}

/** Versions begin with their day. An endpoint without one has the account's, which may be any. */
export function isOlder({ api_version }: Stripe.WebhookEndpoint, version: string): boolean {
  return api_version === null || api_version < version
}

/** The secret of a new endpoint, and whether it takes the place of another one. */
export type NewEndpoint = { secret: string | undefined; replaces: boolean }

type Setup = {
  stripe: Stripe
  publicUrl: string
  apiVersion: Stripe.LatestApiVersion
  say: Say
  now: Date
  /** Whether the server has the secrets of both endpoints */
  hasBothSecrets: boolean
}

/** Makes Stripe send its events to this server; returns an endpoint that was made for that. */
export async function setUpEndpoint(setup: Setup): Promise<NewEndpoint | undefined> {
  const { stripe, publicUrl, apiVersion, say } = setup
  if (!canReach(publicUrl)) {
    say(`webhook: none, since Stripe cannot reach ${publicUrl} over https. While trying out, run`)
    say(`  stripe listen --forward-to ${publicUrl}${WEBHOOK_PATH}`)
    return undefined
  }
  const known = await listEndpoints(stripe, publicUrl)
  const former = known.filter((endpoint) => isOlder(endpoint, apiVersion))
  const current = known.find((endpoint) => !former.includes(endpoint))
  if (!current) return makeEndpoint(setup, former)
  await alignEndpoint(stripe, current, say)
  const newest = Math.max(...known.map(({ created }) => created))
  const until = new Date(newest * SECOND_MS + BOTH_COUNT_MS)
  for (const endpoint of former) await removeFormer(setup, endpoint, until)
  return undefined
}

/** Without the new secret the server would refuse every event once the former endpoint is gone. */
async function removeFormer(
  { stripe, say, now, hasBothSecrets }: Setup,
  { id, url }: Stripe.WebhookEndpoint,
  until: Date,
) {
  if (now < until) return say(`webhook ${url}: the former one stays until ${until.toISOString()}`)
  if (!hasBothSecrets) {
    say(
      `webhook ${url}: the former one stays, because STRIPE_WEBHOOK_SECRET has one secret, not two.`,
    )
    say(
      '  Put both into it, the new one first, and run this again. If you lost the new one, delete',
    )
    say("  its endpoint in Stripe's dashboard first.")
    return
  }
  await stripe.webhookEndpoints.del(id)
  say(`webhook ${url}: the former one removed. Take its secret from the environment too`)
}

/** The version of an endpoint cannot change: another version is another endpoint, with its own secret. */
async function makeEndpoint(
  { stripe, publicUrl, apiVersion, say }: Setup,
  [former]: Stripe.WebhookEndpoint[],
): Promise<NewEndpoint> {
  const url = publicUrl + WEBHOOK_PATH
  const { secret } = await stripe.webhookEndpoints.create({
    url,
    enabled_events: EVENTS,
    api_version: apiVersion,
  })
  const version = former?.api_version ?? 'of the account'
  say(
    `webhook ${url}: made${former ? `, because the former one has the API version ${version}` : ''}`,
  )
  return { secret, replaces: former !== undefined }
}

async function alignEndpoint(stripe: Stripe, before: Stripe.WebhookEndpoint, say: Say) {
  const { id, url, enabled_events, status } = before
  const hasEvents = [...enabled_events].sort().join() === [...EVENTS].sort().join()
  const isOn = status === 'enabled'
  if (!hasEvents || !isOn) {
    await stripe.webhookEndpoints.update(id, { enabled_events: EVENTS, disabled: false })
  }
  if (!isOn) return say(`webhook ${url}: was disabled, and is enabled again`)
  say(`webhook ${url}: ${hasEvents ? 'as it should be' : 'changed'}`)
}
