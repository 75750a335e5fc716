import type { Choice } from '../../../src/server/billing/provider.ts'
import { lookupKey } from '../../../src/server/billing/stripe/stripe-prices.ts'
import type { Books } from './books.ts'
import type {
  Charge,
  Dispute,
  Price,
  Refund,
  Session,
  StripeEvent,
  Subscription,
} from './objects.ts'

/** Whether a condition of the portal's settings puts a change off to the end of the period. */
function isMet(condition: string, before: Price, after: Price): boolean {
  if (condition === 'decreasing_item_amount') return after.unit_amount < before.unit_amount
  return before.recurring.interval === 'year' && after.recurring.interval === 'month'
}

export const API_VERSION = '2026-10-28.endive'

/** Changes customers and subscriptions; each step returns its event. */
export class Life {
  readonly #books: Books

  constructor(books: Books) {
    this.#books = books
  }

  /** A customer fills in the page of a payment, before the payment itself. */
  begin(sessionId: string): StripeEvent {
    const session = this.#session(sessionId)
    const price = this.#books.price(session.price, 'price')
    const { customer, subscription_metadata, trial_days: trialDays } = session
    const subscription = this.#books.begin(customer, price, subscription_metadata, { trialDays })
    session.subscription = subscription.id
    return this.event('customer.subscription.created', subscription)
  }

  /** The first payment succeeds. */
  pay(sessionId: string): StripeEvent {
    const session = this.#session(sessionId)
    if (session.subscription === null) this.begin(sessionId)
    if (session.trial_days === 0) this.settle(session.subscription ?? '')
    Object.assign(session, { status: 'complete', url: null })
    const { subscription_metadata: _own, price: _price, ...told } = session
    return this.event('checkout.session.completed', told)
  }

  /** The open invoice is paid: the subscription is active. */
  settle(subscriptionId: string): StripeEvent {
    const subscription = this.#books.subscription(subscriptionId)
    const invoice =
      this.#books.invoices.get(subscription.latest_invoice) ?? this.#books.bill(subscription)
    Object.assign(subscription, { status: 'active' })
    this.#books.charge(invoice)
    const { client_secret: _secret, ...told } = invoice
    return this.event('invoice.paid', told)
  }

  /** A new period is paid. */
  renew(subscriptionId: string): StripeEvent {
    const subscription = this.#books.subscription(subscriptionId)
    this.#books.advance(subscription)
    subscription.status = 'active'
    this.#books.bill(subscription)
    return this.settle(subscriptionId)
  }

  failRenewal(subscriptionId: string): StripeEvent {
    const subscription = this.#books.subscription(subscriptionId)
    // The new period begins, paid or not.
    this.#books.advance(subscription)
    subscription.status = 'past_due'
    const { client_secret: _secret, ...told } = this.#books.bill(subscription)
    return this.event('invoice.payment_failed', told)
  }

  changePlan(subscriptionId: string, choice: Choice): StripeEvent {
    const subscription = this.#books.subscription(subscriptionId)
    for (const item of subscription.items.data) item.price = this.priceOf(choice)
    return this.event('customer.subscription.updated', subscription)
  }

  /**
   * A customer confirms the change of plan in the portal. It takes effect at once, or by a schedule at
   * the period's end, as the portal's settings say.
   */
  confirm(portalUrl: string): StripeEvent {
    const portal = [...this.#books.portals.values()].find(({ url }) => url === portalUrl)
    const { subscription: id, items } = portal?.flow?.subscription_update_confirm ?? {}
    const subscription = this.#books.subscription(id ?? '')
    const price = this.#books.price(items?.[0]?.price ?? '', 'price')
    const features = this.#books.configurations.get(portal?.configuration ?? '')?.features
    const { conditions = [] } = features?.subscription_update?.schedule_at_period_end ?? {}
    const [item] = subscription.items.data
    if (item && conditions.some(({ type }) => isMet(type, item.price, price))) {
      return this.plan(subscription.id, price)
    }
    for (const each of subscription.items.data) each.price = price
    return this.event('customer.subscription.updated', subscription)
  }

  /** Plans a change for the end of the period. */
  plan(subscriptionId: string, price: Price): StripeEvent {
    const subscription = this.#books.subscription(subscriptionId)
    const schedule = this.#books.schedule(subscription, price)
    return this.event('subscription_schedule.created', schedule)
  }

  /** The planned change is called off in the portal. */
  callOff(subscriptionId: string): StripeEvent {
    const { schedule } = this.#books.subscription(subscriptionId)
    const released = this.#books.unschedule(schedule, 'released')
    return this.event('subscription_schedule.released', released ?? {})
  }

  /** Any change of the subscription's own fields, as from Stripe's dashboard. */
  change(subscriptionId: string, fields: Partial<Subscription>): StripeEvent {
    const subscription = Object.assign(this.#books.subscription(subscriptionId), fields)
    return this.event('customer.subscription.updated', subscription)
  }

  end(subscriptionId: string): StripeEvent {
    const subscription = this.#books.end(this.#books.subscription(subscriptionId))
    return this.event('customer.subscription.deleted', subscription)
  }

  /** The operator gives back a payment in Stripe's dashboard. */
  refund(charge: Charge, amount: number): StripeEvent {
    const { id, customer, currency } = charge
    const stamp = this.#books.stamp('refund', 're')
    const made = { ...stamp, charge: id, customer, amount, currency }
    charge.refunds.push({ ...made, status: 'pending', reason: 'requested_by_customer' })
    const { refunds: _list, ...told } = charge
    return this.event('charge.refunded', told)
  }

  settleRefund(refund: Refund | undefined, status: string): StripeEvent {
    return this.event('refund.updated', Object.assign(refund ?? {}, { status }))
  }

  /** The customer disputes a payment at their bank. */
  dispute(charge: Charge): StripeEvent {
    const { id, amount, currency } = charge
    const stamp = this.#books.stamp('dispute', 'du')
    charge.disputed = true
    const status = 'needs_response'
    const dispute = { ...stamp, charge: id, amount, currency, status, reason: 'fraudulent' }
    this.#books.disputes.set(stamp.id, dispute)
    return this.event('charge.dispute.created', dispute)
  }

  closeDispute(dispute: Dispute | undefined, status: string): StripeEvent {
    return this.event('charge.dispute.closed', Object.assign(dispute ?? {}, { status }))
  }

  /** The customer is deleted in Stripe's dashboard. */
  deleteCustomer(id: string): StripeEvent {
    return this.event('customer.deleted', this.#books.forget(id))
  }

  priceOf(choice: Choice): Price {
    const key = lookupKey(choice)
    const price = [...this.#books.prices.values()].find(({ lookup_key }) => lookup_key === key)
    if (!price) throw new Error(`the stand-in has no price ${key}`)
    return price
  }

  event(type: string, object: object, livemode = this.#books.isLive): StripeEvent {
    return {
      ...this.#books.stamp('event', 'evt'),
      type,
      livemode,
      api_version: API_VERSION,
      data: { object: structuredClone(object) as Record<string, unknown> },
    }
  }

  /** An event without data, which names only what it is about. */
  thinEvent(related_object: { id: string | undefined; type: string }) {
    const { id, livemode } = this.#books.stamp('event', 'evt')
    const type = `v1.${related_object.type}.updated`
    return { id, object: 'v2.core.event', type, livemode, related_object }
  }

  #session(id: string): Session {
    const session = this.#books.sessions.get(id)
    if (session?.status !== 'open') throw new Error(`${id} cannot be paid: ${session?.status}`)
    return session
  }
}
