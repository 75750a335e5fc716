import type Stripe from 'stripe'
import type { ChangePreview } from '#contract/billing/billing.ts'
import { SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import { AppError } from '../../http/errors.ts'
import type { ReturnUrls, SubscriptionChange } from '../provider.ts'
import { againIfRefused, idOf } from './stripe-client.ts'
import { isGone } from './stripe-customers.ts'
import { kept } from './stripe-kept.ts'
import { itemOf, type StripePrices } from './stripe-prices.ts'
import { releasedSubscription } from './stripe-schedule.ts'

/** Metadata of our own portal configuration; a Stripe account may have others. */
export const PORTAL_METADATA = { tessera: 'portal' } as const

type PlanChange = SubscriptionChange & { customerId: string; returnTo: ReturnUrls }

/** The most configurations that are searched; an account seldom has more than one. */
const CONFIGURATIONS_MAX = 300

/** The portal configuration that `npm run stripe:setup` made; undefined before that. */
export async function findConfiguration(
  stripe: Stripe,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const all = stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const configurations = await all.autoPagingToArray({ limit: CONFIGURATIONS_MAX })
  return configurations.find(({ metadata }) => metadata?.tessera === PORTAL_METADATA.tessera)
}

type SessionParams = Stripe.BillingPortal.SessionCreateParams & { customer: string }

/** Stripe's own pages for cards, invoices and the plan. */
export function stripePortal(prices: StripePrices, clock: Clock) {
  const configurations = kept(findConfiguration, clock)

  /** @throws AppError no_subscription if the customer was deleted */
  async function openSession(stripe: Stripe, params: SessionParams): Promise<string> {
    const configuration = (await configurations.get(stripe))?.id
    try {
      const session = await stripe.billingPortal.sessions.create(
        configuration ? { ...params, configuration } : params,
      )
      return session.url
    } catch (error) {
      if (await isGone(stripe, params.customer, error)) throw new AppError('no_subscription')
      throw error
    }
  }

  const forget = () => {
    configurations.forget()
    prices.forget()
  }

  return {
    open: (stripe: Stripe, customer: string, returnTo: string) =>
      againIfRefused(() => openSession(stripe, { customer, return_url: returnTo }), forget),

    /** The page that confirms a change to another price, with what it costs. */
    openPlanChange: (stripe: Stripe, change: PlanChange) =>
      againIfRefused(async () => {
        const { customerId, subscriptionId, returnTo } = change
        const price = await prices.idOf(stripe, change)
        // Read first: without them, the change that is planned should stay.
        await configurations.get(stripe)
        // The portal would plan a second change behind the first one.
        const item = itemOf(await releasedSubscription(stripe, subscriptionId))
        return openSession(stripe, {
          customer: customerId,
          return_url: returnTo.success,
          flow_data: {
            type: 'subscription_update_confirm',
            subscription_update_confirm: {
              subscription: subscriptionId,
              items: [{ id: item.id, price, quantity: 1 }],
            },
            after_completion: { type: 'redirect', redirect: { return_url: returnTo.success } },
          },
        })
      }, forget),
  }
}

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
