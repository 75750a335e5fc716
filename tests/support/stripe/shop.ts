import { afterEach, expect } from 'vitest'
import { setUpCatalogue } from '../../../scripts/stripe/stripe-catalogue.ts'
import { setUpPortal } from '../../../scripts/stripe/stripe-portal-settings.ts'
import type { AppDeps } from '../../../src/server/app.ts'
import type { Choice } from '../../../src/server/billing/provider.ts'
import { stripeOf } from '../../../src/server/billing/stripe/stripe-client.ts'
import { readConfig } from '../../../src/server/config.ts'
import type { Engine } from '../../../src/server/database/connect.ts'
import { BEHIND_PROXY, someAddress } from '../crowd.ts'
import { forBlock } from '../for-block.ts'
import { jobsAfter } from '../jobs.ts'
import { newPerson, Person } from '../person.ts'
import { startTessera, type Tessera } from '../tessera.ts'
import type { Books } from './books.ts'
import { deliver } from './deliveries.ts'
import type { Life } from './life.ts'
import type { Coupon, PromotionCode, Session, StripeEvent, Subscription } from './objects.ts'
import { type StandIn, startStandIn } from './stand-in.ts'

export const WEBHOOK_SECRET = 'whsec_standin'

export const MONTHLY = { tier: 'professional', billing: 'monthly' } as const
export const ANNUAL = { tier: 'unlimited', billing: 'annual' } as const
export const STARTER = { tier: 'starter', billing: 'monthly' } as const

/** A service that sells its plans through the stand-in. */
export type Shop = {
  stripe: StandIn
  books: Books
  life: Life
  tessera: Tessera
  /** Everything that was logged, one record a line. */
  logged: string[]
  environment: Record<string, string>
  /** Sends an event as Stripe does, signed now. */
  post: (event: object) => Promise<Response>
  /** Sends an event and waits until it is applied, or its read has failed. */
  send: (event: object) => Promise<Response>
  stop: () => Promise<void>
}

type Options = {
  engine: Engine
  environment?: Record<string, string>
  bounds?: AppDeps['stripe']
}

export async function openShop({ engine, environment = {}, bounds }: Options): Promise<Shop> {
  const stripe = await startStandIn()
  const sdk = await stripeOf({ secretKey: stripe.secretKey, apiBase: stripe.origin })
  const logged: string[] = []
  const settings = {
    ...BEHIND_PROXY,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_standin',
    STRIPE_API_BASE: stripe.origin,
    ...environment,
  }
  const tax = readConfig(settings).stripe?.tax
  await setUpPortal(sdk, await setUpCatalogue(sdk, () => {}, tax), () => {})
  const tessera = await startTessera({
    engine,
    environment: settings,
    stripe: bounds ?? {},
    logTo: { write: (line: string) => logged.push(line) },
  })
  const now = () => tessera.clock.now().getTime()
  stripe.books.now = now
  const post = (event: object) =>
    deliver(event, { origin: tessera.origin, webhookSecret: WEBHOOK_SECRET, at: now() })
  const send = async (event: object) => {
    const response = await post(event)
    await tessera.app.paymentsIdle()
    return response
  }
  const stop = async () => {
    await tessera.stop()
    await stripe.stop()
  }
  const { books, life } = stripe
  return { stripe, books, life, tessera, logged, environment: settings, post, send, stop }
}

/** Opens one for the tests of a block, each of which must have sent Stripe only what it takes. */
export function runShop(options: Options): Shop {
  const shop = forBlock(() => openShop(options))
  afterEach(() => {
    shop.stripe.upsets.clear()
    shop.stripe.onRequest = () => {}
    expect(shop.stripe.mistakes()).toEqual([])
  })
  return shop
}

/** A person who buys plans in a shop, and what Stripe has of them, oldest first. */
export class Payer extends Person {
  shop = {} as Shop

  /** Asks for a payment, each time from another address. */
  choose(choice: Choice = MONTHLY, origin = this.tessera.origin): Promise<Response> {
    return fetch(`${origin}/api/create-checkout-session`, {
      method: 'POST',
      body: JSON.stringify(choice),
      headers: {
        'content-type': 'application/json',
        cookie: this.cookie,
        origin: this.tessera.origin,
        'x-forwarded-for': someAddress(),
      },
    })
  }

  /** Asks for a payment; returns the address of its page. */
  async chosen(choice?: Choice): Promise<string> {
    const response = await this.choose(choice)
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (JSON.parse(text) as { checkoutUrl: string }).checkoutUrl
  }

  /** Pays what was chosen last; returns the event. */
  pay(): StripeEvent {
    return this.shop.life.pay(this.session.id)
  }

  get customers(): string[] {
    const all = [...this.shop.books.customers.values()]
    return all.filter(({ metadata }) => metadata.user_id === this.workspaceId).map(({ id }) => id)
  }

  get customer(): string {
    return this.customers[0] ?? ''
  }

  sessions(status?: Session['status']): Session[] {
    return this.customers.flatMap((id) => this.shop.books.sessionsOf(id, status))
  }

  /** The open payment; fails the test if there is none or more than one. */
  get session(): Session {
    const [session, ...others] = this.sessions('open')
    if (!session || others.length > 0) throw new Error(`${others.length + 1} payments are open`)
    return session
  }

  get subscriptions(): Subscription[] {
    return this.customers.flatMap((id) => this.shop.books.subscriptionsOf(id))
  }

  /** The last one; fails the test if there is none. */
  get subscription(): Subscription {
    const subscription = this.subscriptions.at(-1)
    if (!subscription) throw new Error('nothing was bought')
    return subscription
  }

  get statuses(): string[] {
    return this.subscriptions.map(({ status }) => status)
  }
}

export async function newPayer(shop: Shop): Promise<Payer> {
  const person = await newPerson(shop.tessera)
  return Object.assign(new Payer(shop.tessera, person.email), person, { shop })
}

/** The path of a call about a payment on our page, by the address of that page. */
export const stepPath = (url: string, call: 'payment' | 'address' | 'promotion') =>
  `/api/checkout/${new URL(url).searchParams.get('session')}/${call}`

/** A person who has chosen a plan, and the address of its payment. */
export async function chooser(shop: Shop, choice?: Choice) {
  const person = await newPayer(shop)
  return { person, url: await person.chosen(choice) }
}

/** A person who has paid for a plan at Stripe, which we have not heard of yet. */
export async function payer(shop: Shop) {
  const { person } = await chooser(shop)
  const event = person.pay()
  return { person, event, subscription: person.subscription }
}

/** A person whose plan is paid and has taken effect. */
export async function subscriber(shop: Shop) {
  const bought = await payer(shop)
  const response = await shop.send(bought.event)
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`)
  return bought
}

/** Runs the jobs that are due `after` milliseconds from now. */
export const runJobs = ({ tessera }: Shop, after: number) => jobsAfter(tessera, after)

/** A promotion code of the operator. */
export function promote(
  { books }: Shop,
  code: string,
  change: Partial<Coupon> = {},
): PromotionCode {
  const coupon: Coupon = {
    id: `coupon_${code}`,
    percent_off: 20,
    amount_off: null,
    currency: null,
    duration: 'repeating',
    duration_in_months: 3,
    ...change,
  }
  const promotion: PromotionCode = {
    ...books.stamp('promotion_code', 'promo'),
    code,
    active: true,
    customer: null,
    promotion: { type: 'coupon', coupon },
    restrictions: { first_time_transaction: false },
  }
  books.promotions.set(promotion.id, promotion)
  return promotion
}
