import type { FastifyBaseLogger } from 'fastify'
import type Stripe from 'stripe'
import { SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { StripeSettings } from '../../config.ts'
import { endsInPeriod, mayBeUnpaid, type PaidPeriod, paidUntil } from '../entitlements.ts'
import type { PaymentProvider, ProvidedSubscription } from '../provider.ts'
import { applyPromotion, closeCheckouts, openCheckout } from './stripe-checkouts.ts'
import { type StripeBounds, type StripeCalls, stripeCalls } from './stripe-client.ts'
import { createCustomer, forgetCustomer, orIfGone, saveAddress } from './stripe-customers.ts'
import { lastRead } from './stripe-kept.ts'
import { checkoutState, DISCOUNT_FIELDS, discountOf, isOver, paymentOf } from './stripe-payments.ts'
import { previewChange, stripePortal } from './stripe-portal.ts'
import { choiceOf, planItem, StripePrices } from './stripe-prices.ts'
import { cancellationOf, invoicesOf, paidInvoicesOf, recordsOf } from './stripe-records.ts'
import { plannedChange, releasedSubscription } from './stripe-schedule.ts'

type StripeDeps = {
  settings: StripeSettings
  clock: Clock
  log: FastifyBaseLogger
  bounds?: Partial<StripeBounds> | undefined
}

/** The most subscriptions of a customer that are read; usual are one, and a few that are over. */
const SUBSCRIPTIONS_MAX = 500

export function stripeProvider({ settings, clock, log, bounds }: StripeDeps): PaymentProvider {
  const run = stripeCalls({ settings, log, bounds })
  const prices = new StripePrices(clock)
  const portal = stripePortal(prices, clock)
  const isTaxed = settings.tax !== undefined
  const context = { prices, isTaxed }

  /** A call as the room makes it, without the SDK. */
  const call =
    <Given extends unknown[], Answer>(
      what: string,
      ask: (stripe: Stripe, ...given: Given) => Promise<Answer>,
    ) =>
    (...given: Given) =>
      run(what, (stripe) => ask(stripe, ...given))
  /** The same about a customer; `nothing` is the answer for a deleted one. */
  const callAbout = <Rest extends unknown[], Answer>(
    what: string,
    ask: (stripe: Stripe, customer: string, ...rest: Rest) => Promise<Answer>,
    nothing: Answer,
  ) =>
    call(what, (stripe, customer: string, ...rest: Rest) =>
      orIfGone(stripe, customer, ask(stripe, customer, ...rest), nothing),
    )

  return {
    name: 'stripe',
    mode: settings.mode,
    createCustomer: call('create a customer', createCustomer),
    subscriptionsOf: call('read subscriptions', (stripe, customerId) =>
      subscriptionsOf(stripe, customerId, log),
    ),
    recordsOf: callAbout('read payments', recordsOf, []),
    paidInvoicesOf: callAbout('read paid invoices', paidInvoicesOf, []),
    openCheckout: call('open a payment', (stripe, request) =>
      openCheckout(stripe, context, request),
    ),
    checkoutState: call('read a payment', checkoutState),
    closeCheckouts: callAbout('close payments', closeCheckouts, undefined),
    paymentOf: call('read a payment', paymentOf),
    applyPromotion: call('apply a promotion code', (stripe, request, promotion) =>
      applyPromotion(stripe, context, request, promotion),
    ),
    tax: isTaxed ? taxOf(run, prices, clock) : undefined,
    openPlanChange: call('open a change of plan', portal.openPlanChange),
    previewChange: call('preview a change of plan', (stripe, change) =>
      previewChange(stripe, prices, change),
    ),
    openPortal: call('open the portal', portal.open),
    setCancelAtPeriodEnd: call('set the end', setCancelAtPeriodEnd),
    keepPlan: call('keep a plan', async (stripe, subscriptionId) => {
      await releasedSubscription(stripe, subscriptionId)
    }),
    forgetCustomer: call('forget a customer', forgetCustomer),
    invoicesOf: callAbout('read invoices', invoicesOf, []),
    webhookSecrets: settings.webhookSecrets,
  }
}

function taxOf(run: StripeCalls, prices: StripePrices, clock: Clock): PaymentProvider['tax'] {
  const read = () => run('read prices', (stripe) => prices.taxBehaviors(stripe))
  const behaviors = lastRead(read, clock)
  // They are read at the start, so that the first page has them.
  behaviors()
  return {
    saveAddress: (customerId, address) =>
      run('save an address', (stripe) => saveAddress(stripe, customerId, address)),
    behaviors,
  }
}

async function subscriptionsOf(
  stripe: Stripe,
  customer: string,
  log: FastifyBaseLogger,
): Promise<ProvidedSubscription[]> {
  const fields = [DISCOUNT_FIELDS, 'schedule', 'latest_invoice']
  const expand = fields.map((field) => `data.${field}`)
  const list = stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand })
  const read = list.autoPagingToArray({ limit: SUBSCRIPTIONS_MAX })
  const all = await orIfGone(stripe, customer, read, [])
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
  const item = planItem(subscription)
  const choice = item && choiceOf(item.price)
  if (!choice) return undefined
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

/** Since API version 2025-03-31 each item has its own period. */
function periodOf(subscription: Stripe.Subscription, item: Stripe.SubscriptionItem): PaidPeriod {
  const { status, cancel_at, ended_at } = subscription
  return {
    status,
    isUnpaid: mayBeUnpaid(status) && isPeriodUnpaid(subscription, item),
    periodStart: item.current_period_start * SECOND_MS,
    periodEnd: item.current_period_end * SECOND_MS,
    cancelAt: cancel_at === null ? null : cancel_at * SECOND_MS,
    endedAt: ended_at === null ? null : ended_at * SECOND_MS,
  }
}

/** A change from months to years begins a period with its bill, which is made within this time. */
const BILL_WITHIN_S = 60

/**
 * Stripe also calls a subscription past_due if another bill was not paid, as that of a higher plan. Only a
 * renewal, or a bill that began the period, leaves the period unpaid.
 */
function isPeriodUnpaid(
  { status, latest_invoice: invoice }: Stripe.Subscription,
  { current_period_start: start }: Stripe.SubscriptionItem,
): boolean {
  if (invoice === null || typeof invoice === 'string') return status !== 'canceled'
  const { billing_reason: reason, created } = invoice
  const began = reason === 'subscription_update' && Math.abs(created - start) < BILL_WITHIN_S
  return (reason === 'subscription_cycle' || began) && invoice.status !== 'paid'
}

async function setCancelAtPeriodEnd(stripe: Stripe, id: string, cancel: boolean): Promise<void> {
  const subscription = await releasedSubscription(stripe, id)
  const { cancel_at, cancel_at_period_end } = subscription
  // The read that follows shows the end.
  if (isOver(subscription)) return
  // Only one of the two can be set, and Stripe's own pages may have set a day.
  if (cancel_at === null || cancel_at_period_end) {
    await stripe.subscriptions.update(id, { cancel_at_period_end: cancel })
    return
  }
  const periodEnd = planItem(subscription)?.current_period_end ?? cancel_at
  const isSet = cancel_at <= periodEnd
  if (cancel === isSet) return
  await stripe.subscriptions.update(id, { cancel_at: cancel ? periodEnd : '' })
}
