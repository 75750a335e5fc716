import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import { SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { StripeSettings } from '../../config.ts'
import { endsInPeriod, mayBeUnpaid, type PaidPeriod, paidUntil } from '../paid-period.ts'
import type { Payer, PaymentProvider, ProvidedSubscription } from '../provider.ts'
import { readSignedEvent } from '../signed-event.ts'
import { applyPromotion, closeCheckouts, once, openCheckout } from './stripe-checkouts.ts'
import { isMissing, type StripeBounds, StripeClient } from './stripe-client.ts'
import { DISCOUNT_FIELDS, discountOf } from './stripe-discounts.ts'
import { checkoutState, isOver, paymentOf } from './stripe-payments.ts'
import { StripePortal } from './stripe-portal.ts'
import { previewChange } from './stripe-preview.ts'
import { choiceOf, StripePrices } from './stripe-prices.ts'
import { cancellationOf, invoicesOf, paymentsOf } from './stripe-records.ts'
import { plannedChange, releasedSubscription } from './stripe-schedule.ts'
import { lastRead, saveAddress } from './stripe-tax.ts'

type StripeDeps = {
  settings: StripeSettings
  clock: Clock
  log: FastifyBaseLogger
  bounds?: Partial<StripeBounds> | undefined
}

/** The most subscriptions of a customer that are read; usual are one, and a few that are over. */
const SUBSCRIPTIONS_MAX = 500

export function stripeProvider({ settings, clock, log, bounds }: StripeDeps): PaymentProvider {
  const client = new StripeClient({ settings, log, bounds })
  const prices = new StripePrices(clock)
  const portal = new StripePortal(prices, clock)
  const isTaxed = settings.tax !== undefined
  const till = { prices, isTaxed }
  const isLive = /^(sk|rk)_live_/.test(settings.secretKey)
  const { webhookSecrets } = settings

  return {
    name: 'stripe',
    createCustomer: (payer, gone) =>
      client.run('create a customer', (stripe) => createCustomer(stripe, payer, gone)),
    subscriptionsOf: (customerId) =>
      client.run('read subscriptions', (stripe) => subscriptionsOf(stripe, customerId, log)),
    paymentsOf: (customerId) =>
      client.run('read payments', (stripe) =>
        orIfGone(paymentsOf(stripe, customerId), { records: [], paid: [] }),
      ),
    openCheckout: (request) =>
      client.run('open a payment', (stripe) => openCheckout(stripe, till, request)),
    checkoutState: (sessionId) =>
      client.run('read a payment', (stripe) => checkoutState(stripe, sessionId)),
    closeCheckouts: (customerId, exceptId) =>
      client.run('close payments', (stripe) =>
        orIfGone(closeCheckouts(stripe, customerId, exceptId), undefined),
      ),
    paymentOf: (sessionId) =>
      client.run('read a payment', (stripe) => paymentOf(stripe, sessionId)),
    applyPromotion: (request, promotion) =>
      client.run('apply a promotion code', (stripe) =>
        applyPromotion(stripe, till, request, promotion),
      ),
    tax: isTaxed ? taxOf(client, prices, clock) : undefined,
    openPlanChange: (change) =>
      client.run('open a change of plan', (stripe) => portal.openPlanChange(stripe, change)),
    previewChange: (change) =>
      client.run('preview a change of plan', (stripe) => previewChange(stripe, prices, change)),
    openPortal: (customerId, returnTo) =>
      client.run('open the portal', (stripe) => portal.open(stripe, customerId, returnTo)),
    setCancelAtPeriodEnd: (subscriptionId, cancel) =>
      client.run('set the end', (stripe) => setCancelAtPeriodEnd(stripe, subscriptionId, cancel)),
    keepPlan: async (subscriptionId) => {
      await client.run('keep a plan', (stripe) => releasedSubscription(stripe, subscriptionId))
    },
    forgetCustomer: (customerId) =>
      client.run('forget a customer', (stripe) => forgetCustomer(stripe, customerId)),
    invoicesOf: (customerId) =>
      client.run('read invoices', (stripe) => orIfGone(invoicesOf(stripe, customerId), [])),
    async readEvent(body, signature) {
      const { livemode, ...event } = await readSignedEvent(body, signature, webhookSecrets, clock())
      return livemode === isLive ? event : null
    },
  }
}

function taxOf(client: StripeClient, prices: StripePrices, clock: Clock): PaymentProvider['tax'] {
  const read = () => client.run('read prices', (stripe) => prices.taxBehaviors(stripe))
  const behaviors = lastRead(read, clock)
  // They are read at the start, so that the first page has them.
  behaviors()
  return {
    saveAddress: (customerId, address) =>
      client.run('save an address', (stripe) => saveAddress(stripe, customerId, address)),
    behaviors,
  }
}

/** With the same key Stripe repeats a lost answer; the key changes with the name or e-mail. */
async function createCustomer(stripe: Stripe, payer: Payer, gone?: string): Promise<string> {
  const { userId, email, name } = payer
  const params = { email, name, metadata: { user_id: userId } }
  const { id } = await stripe.customers.create(
    params,
    once(`customer:${userId}:${gone ?? ''}`, params),
  )
  return id
}

async function subscriptionsOf(
  stripe: Stripe,
  customer: string,
  log: FastifyBaseLogger,
): Promise<ProvidedSubscription[]> {
  const fields = [DISCOUNT_FIELDS, 'schedule', 'latest_invoice']
  const expand = fields.map((field) => `data.${field}`)
  const list = stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand })
  const all = await orIfGone(list.autoPagingToArray({ limit: SUBSCRIPTIONS_MAX }), [])
  const ours: ProvidedSubscription[] = []
  for (const subscription of all) {
    const provided = providedSubscription(subscription)
    if (provided) {
      ours.push({ ...provided, next: await plannedChange(stripe, subscription, provided) })
    } else {
      log.warn({ subscription: subscription.id }, 'a subscription has none of our prices')
    }
  }
  return ours
}

/** Stripe's subscription in our words; undefined if it is for another product. */
export function providedSubscription(
  subscription: Stripe.Subscription,
): ProvidedSubscription | undefined {
  for (const item of subscription.items.data) {
    const choice = choiceOf(item.price)
    if (!choice) continue
    const { id, status, created, cancel_at_period_end, trial_start } = subscription
    const period = periodOf(subscription, item)
    return {
      ...choice,
      id,
      status,
      paidUntil: paidUntil(period),
      endsAtPeriodEnd: cancel_at_period_end || endsInPeriod(period),
      isUnpaid: period.isUnpaid,
      endedAt: period.endedAt,
      createdAt: created * SECOND_MS,
      discount: discountOf(subscription),
      hadTrial: trial_start !== null,
      cancellation: cancellationOf(subscription),
    }
  }
  return undefined
}

/** Since API version 2025-03-31 each item has its own period. */
function periodOf(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem): PaidPeriod {
  const { status, cancel_at, ended_at } = subscription
  return {
    status,
    isUnpaid: mayBeUnpaid(status) && isRenewalUnpaid(subscription),
    periodStart: item.current_period_start * SECOND_MS,
    periodEnd: item.current_period_end * SECOND_MS,
    cancelAt: cancel_at === null ? null : cancel_at * SECOND_MS,
    endedAt: ended_at === null ? null : ended_at * SECOND_MS,
  }
}

/** Stripe also calls a subscription past_due if another bill was not paid, as that of a higher plan. */
function isRenewalUnpaid({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (invoice === null || typeof invoice === 'string') return status !== 'canceled'
  return invoice.billing_reason === 'subscription_cycle' && invoice.status !== 'paid'
}

async function setCancelAtPeriodEnd(stripe: Stripe, id: string, cancel: boolean): Promise<void> {
  const subscription = await releasedSubscription(stripe, id)
  const { cancel_at, cancel_at_period_end, items } = subscription
  // The read that follows shows the end.
  if (isOver(subscription)) return
  // Only one of the two can be set, and Stripe's own pages may have set a day.
  if (cancel_at === null || cancel_at_period_end) {
    await stripe.subscriptions.update(id, { cancel_at_period_end: cancel })
    return
  }
  const periodEnd = items.data.find(({ price }) => choiceOf(price))?.current_period_end ?? cancel_at
  const isSet = cancel_at <= periodEnd
  if (cancel === isSet) return
  await stripe.subscriptions.update(id, { cancel_at: cancel ? periodEnd : '' })
}

/** Ends the customer's subscriptions too: https://docs.stripe.com/api/customers/delete */
async function forgetCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.customers.del(id)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** A deleted customer has nothing any more. */
async function orIfGone<T>(answer: Promise<T>, nothing: T): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (isMissing(error, 'customer')) return nothing
    throw error
  }
}
