import { randomBytes } from 'node:crypto'
import type {
  Charge,
  Customer,
  Dispute,
  Endpoint,
  Invoice,
  Item,
  Metadata,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Session,
  Subscription,
} from './objects.ts'
import { found, missing, StripeRefusal } from './refusals.ts'

const PERIOD_S = { month: 30 * 24 * 3600, year: 365 * 24 * 3600 }

/** The objects of the stand-in, each kind oldest first. */
export class Books {
  readonly customers = new Map<string, Customer>()
  readonly products = new Map<string, Product>()
  readonly prices = new Map<string, Price>()
  readonly sessions = new Map<string, Session>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly invoices = new Map<string, Invoice>()
  readonly charges = new Map<string, Charge>()
  readonly disputes = new Map<string, Dispute>()
  readonly configurations = new Map<string, PortalConfiguration>()
  readonly portals = new Map<string, PortalSession>()
  readonly endpoints = new Map<string, Endpoint>()
  /** In milliseconds */
  now: () => number = Date.now
  isLive = false

  /** The fields of every object. */
  stamp<Name extends string>(object: Name, prefix: string) {
    const id = `${prefix}_${randomBytes(9).toString('hex')}`
    return { id, object, created: this.seconds(), livemode: this.isLive }
  }

  seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  /** A customer who is not deleted. */
  customer(id: string, param?: string): Customer {
    const customer = this.customers.get(id)
    if (!customer || customer.deleted) throw missing('customer', id, param)
    return customer
  }

  /** A customer and a price that it can buy. */
  order(customerId: string, priceId: string | undefined, param: string) {
    const customer = this.customer(customerId, 'customer')
    const price = this.price(priceId ?? '', param)
    if (!price.active) throw new StripeRefusal(400, { message: 'The price is inactive' })
    if ((customer.currency ?? price.currency) !== price.currency) {
      const message = 'You cannot combine currencies on a single customer.'
      throw new StripeRefusal(400, { message })
    }
    return { customer, price }
  }

  price(id: string, param: string): Price {
    return found(this.prices.get(id), 'price', id, param)
  }

  subscription(id: string, param?: string): Subscription {
    return found(this.subscriptions.get(id), 'subscription', id, param)
  }

  /** A subscription that waits for its first payment. */
  begin(customer: string, price: Price, metadata: Metadata): Subscription {
    const stamp = this.stamp('subscription', 'sub')
    const subscription: Subscription = {
      ...stamp,
      customer,
      status: 'incomplete',
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, reason: null },
      ended_at: null,
      schedule: null,
      currency: price.currency,
      items: { object: 'list', data: [], has_more: false, url: `/v1/subscription_items` },
      latest_invoice: '',
      metadata,
    }
    subscription.items.data = [this.#item(price)]
    this.subscriptions.set(stamp.id, subscription)
    this.bill(subscription)
    return subscription
  }

  #item(price: Price): Item {
    const start = this.seconds()
    return {
      id: this.stamp('subscription_item', 'si').id,
      object: 'subscription_item',
      price,
      quantity: 1,
      current_period_start: start,
      current_period_end: start + PERIOD_S[price.recurring.interval],
    }
  }

  /** A new invoice for a period, not paid yet. */
  bill(subscription: Subscription): Invoice {
    const stamp = this.stamp('invoice', 'in')
    const amount = subscription.items.data[0]?.price.unit_amount ?? 0
    const invoice: Invoice = {
      ...stamp,
      customer: subscription.customer,
      subscription: subscription.id,
      status: 'open',
      number: `T-${this.invoices.size + 1}`,
      amount_due: amount,
      amount_paid: 0,
      amount_remaining: amount,
      total: amount,
      currency: subscription.currency,
      hosted_invoice_url: `https://invoice.stripe.test/${stamp.id}`,
      client_secret: `pi_${stamp.id}_secret_${randomBytes(9).toString('hex')}`,
      status_transitions: { paid_at: null },
    }
    this.invoices.set(stamp.id, invoice)
    subscription.latest_invoice = stamp.id
    return invoice
  }

  end(subscription: Subscription): Subscription {
    const canceled_at = subscription.canceled_at ?? this.seconds()
    return Object.assign(subscription, {
      status: 'canceled',
      canceled_at,
      ended_at: this.seconds(),
    })
  }

  /** Charges the customer's card for an invoice, and marks it as paid. */
  charge(invoice: Invoice): Charge {
    const stamp = this.stamp('charge', 'ch')
    const { customer, amount_due: amount, currency } = invoice
    const paid = { status: 'paid', amount_paid: amount, amount_remaining: 0 }
    Object.assign(invoice, paid, { status_transitions: { paid_at: this.seconds() } })
    const charge: Charge = {
      ...stamp,
      customer,
      amount,
      currency,
      amount_refunded: 0,
      status: 'succeeded',
      disputed: false,
      refunds: [],
    }
    if (amount > 0) this.charges.set(stamp.id, charge)
    return charge
  }

  /** Pays the open invoice by the customer's credit: nothing is charged. */
  coverByCredit(subscription: Subscription) {
    const invoice = this.invoices.get(subscription.latest_invoice)
    Object.assign(invoice ?? {}, { status: 'paid', amount_due: 0, amount_remaining: 0 })
    subscription.status = 'active'
  }

  /** Begins the next period. */
  advance(subscription: Subscription) {
    for (const item of subscription.items.data) {
      item.current_period_start = item.current_period_end
      item.current_period_end += PERIOD_S[item.price.recurring.interval]
    }
  }

  sessionsOf(customer: string, status?: Session['status']): Session[] {
    return [...this.sessions.values()].filter(
      (session) => session.customer === customer && (!status || session.status === status),
    )
  }

  subscriptionsOf(customer: string): Subscription[] {
    return [...this.subscriptions.values()].filter((one) => one.customer === customer)
  }
}
