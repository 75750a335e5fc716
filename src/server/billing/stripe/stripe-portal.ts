import type Stripe from 'stripe'
import { MINUTE_MS } from '#contract/time.ts'
import { type Clock, isAhead } from '../../clock.ts'
import { AppError } from '../../http/errors.ts'
import type { SubscriptionChange } from '../provider.ts'
import { isRefused } from './stripe-client.ts'
import { isGone } from './stripe-customers.ts'
import { itemOf, type StripePrices } from './stripe-prices.ts'
import { releasedSubscription } from './stripe-schedule.ts'

/** Metadata of our own portal configuration; a Stripe account may have others. */
export const PORTAL_METADATA = { tessera: 'portal' } as const

export type PlanChange = SubscriptionChange & { customerId: string; returnTo: string }

/** The most configurations that are searched; an account seldom has more than one. */
const CONFIGURATIONS_MAX = 300
const KEPT_MS = 10 * MINUTE_MS

/** The portal configuration that `npm run stripe:setup` made; undefined before that. */
export async function findConfiguration(
  stripe: Stripe,
): Promise<Stripe.BillingPortal.Configuration | undefined> {
  const all = stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const configurations = await all.autoPagingToArray({ limit: CONFIGURATIONS_MAX })
  return configurations.find(({ metadata }) => metadata?.tessera === PORTAL_METADATA.tessera)
}

/** Stripe's own pages for cards, invoices and the plan. */
export class StripePortal {
  readonly #prices: StripePrices
  readonly #clock: Clock
  #known: { id: string | undefined; until: number } | undefined

  constructor(prices: StripePrices, clock: Clock) {
    this.#prices = prices
    this.#clock = clock
  }

  /** @throws AppError no_subscription if the customer was deleted */
  async open(stripe: Stripe, customer: string, returnTo: string): Promise<string> {
    return this.#againIfRefused(async () => {
      const configuration = await this.#configuration(stripe)
      return this.#openSession(stripe, { customer, configuration, return_url: returnTo })
    })
  }

  /** The page that confirms a change to another price, with what it costs. */
  openPlanChange(stripe: Stripe, change: PlanChange): Promise<string> {
    return this.#againIfRefused(() => this.#openPlanChange(stripe, change))
  }

  async #openPlanChange(stripe: Stripe, change: PlanChange): Promise<string> {
    const { customerId, subscriptionId, returnTo } = change
    const price = await this.#prices.idOf(stripe, change)
    const configuration = await this.#configuration(stripe)
    // The portal would plan a second change behind the first one.
    const item = itemOf(await releasedSubscription(stripe, subscriptionId))
    return this.#openSession(stripe, {
      customer: customerId,
      configuration,
      return_url: returnTo,
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscriptionId,
          items: [{ id: item.id, price, quantity: 1 }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: returnTo } },
      },
    })
  }

  async #openSession(
    stripe: Stripe,
    {
      configuration,
      ...params
    }: Omit<Stripe.BillingPortal.SessionCreateParams, 'configuration'> & {
      configuration: string | undefined
    },
  ): Promise<string> {
    try {
      const session = await stripe.billingPortal.sessions.create(
        configuration ? { ...params, configuration } : params,
      )
      return session.url
    } catch (error) {
      if (await isGone(stripe, params.customer ?? '', error)) throw new AppError('no_subscription')
      throw error
    }
  }

  /** Asks again after a refusal: the price or the configuration may have been replaced since it was read. */
  async #againIfRefused(ask: () => Promise<string>): Promise<string> {
    try {
      return await ask()
    } catch (error) {
      if (!isRefused(error)) throw error
      this.#forget()
      return ask()
    }
  }

  async #configuration(stripe: Stripe): Promise<string | undefined> {
    const now = this.#clock()
    if (!this.#known || !isAhead(this.#known.until, KEPT_MS, now)) {
      const until = now.getTime() + KEPT_MS
      this.#known = { id: (await findConfiguration(stripe))?.id, until }
    }
    return this.#known.id
  }

  #forget() {
    this.#known = undefined
    this.#prices.forget()
  }
}
