import { randomBytes } from 'node:crypto'
import type {
  Charge,
  Customer,
  Discount,
  Dispute,
  Endpoint,
  Invoice,
  Item,
  Metadata,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  PromotionCode,
  Schedule,
  Session,
  Subscription,
} from './objects.ts'
import { found, missing, StripeRefusal } from './refusals.ts'

export const PERIOD_S = { month: 30 * 24 * 3600, year: 365 * 24 * 3600 }

type Begun = { isTaxed?: boolean; discount?: Discount | undefined; trialDays?: number | undefined }

/** The objects of the stand-in, each kind oldest first. */
export class Books {
  readonly customers = new Map<string, Customer>()
  readonly products = new Map<string, Product>()
  readonly prices = new Map<string, Price>()
  readonly sessions = new Map<string, Session>()
  readonly subscriptions = new Map<string, Subscription>()
  readonly schedules = new Map<string, Schedule>()
  readonly invoices = new Map<string, Invoice>()
  readonly promotions = new Map<string, PromotionCode>()
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

  /** A subscription that waits for its first payment, or runs free of charge. */
  begin(customer: string, price: Price, metadata: Metadata, begun: Begun = {}): Subscription {
    const { isTaxed = false, discount, trialDays = 0 } = begun
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
      automatic_tax: { enabled: isTaxed },
      discounts: discount ? [discount] : [],
      trial_start: null,
      trial_end: null,
    }
    subscription.items.data = [this.#item(price)]
    this.subscriptions.set(stamp.id, subscription)
    if (trialDays > 0) this.#try(subscription, trialDays)
    this.bill(subscription)
    return subscription
  }

  #try(subscription: Subscription, days: number) {
    const [trial_start, trial_end] = [this.seconds(), this.seconds() + days * 24 * 3600]
    Object.assign(subscription, { status: 'trialing', trial_start, trial_end })
    for (const item of subscription.items.data) item.current_period_end = trial_end
  }

  /** A discount by a promotion code that may be used. */
  discount(id: string, customer: string): Discount {
    const { active, promotion, restrictions } = found(this.promotions.get(id), 'promotion code', id)
    // An open invoice counts as an order, too.
    const isFirst = [...this.invoices.values()].every(
      (one) => one.customer !== customer || one.status === 'void',
    )
    if (!active || (restrictions.first_time_transaction && !isFirst)) {
      throw new StripeRefusal(400, { message: 'This promotion code cannot be redeemed' })
    }
    const { duration_in_months: months } = promotion.coupon
    return {
      id: this.stamp('discount', 'di').id,
      object: 'discount',
      end: months === null ? null : this.seconds() + months * PERIOD_S.month,
      promotion_code: id,
      source: promotion,
    }
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

  /** A fifth of an amount, which contains it or to which it comes. */
  #tax(amount: number, { tax_behavior }: Price) {
    const rate = tax_behavior === 'inclusive' ? 1 / 6 : 1 / 5
    return { amount: Math.round(amount * rate), tax_behavior }
  }

  /** Takes the discount off a price. One for one bill is used up by it. */
  #taken(subscription: Subscription, price: number) {
    const [discount] = subscription.discounts
    if (!discount || price === 0) return []
    const { percent_off, amount_off, duration } = discount.source.coupon
    if (duration === 'once') subscription.discounts = []
    const part = percent_off === null ? (amount_off ?? 0) : (price * percent_off) / 100
    return [{ amount: Math.min(price, Math.round(part)), discount: discount.id }]
  }

  /** A new invoice for a period, not paid yet. */
  bill(subscription: Subscription): Invoice {
    const stamp = this.stamp('invoice', 'in')
    const price = subscription.items.data[0]?.price
    const isFree = subscription.status === 'trialing'
    const full = isFree ? 0 : (price?.unit_amount ?? 0)
    const taken = this.#taken(subscription, full)
    const net = full - (taken[0]?.amount ?? 0)
    const taxes = price && subscription.automatic_tax.enabled ? [this.#tax(net, price)] : []
    const added = taxes.filter(({ tax_behavior }) => tax_behavior === 'exclusive')
    const amount = net + (added[0]?.amount ?? 0)
    const invoice: Invoice = {
      ...stamp,
      customer: subscription.customer,
      subscription: subscription.id,
      status: isFree ? 'paid' : 'open',
      number: `T-${this.invoices.size + 1}`,
      amount_due: amount,
      amount_paid: 0,
      amount_remaining: amount,
      total: amount,
      total_discount_amounts: taken,
      total_taxes: taxes,
      billing_reason: subscription.latest_invoice ? 'subscription_cycle' : 'subscription_create',
      currency: subscription.currency,
      hosted_invoice_url: `https://invoice.stripe.test/${stamp.id}`,
      client_secret: `pi_${stamp.id}_secret_${randomBytes(9).toString('hex')}`,
      status_transitions: { paid_at: null },
    }
    this.invoices.set(stamp.id, invoice)
    subscription.latest_invoice = stamp.id
    return invoice
  }

  /** Plans another price from the end of the running period on. */
  schedule(subscription: Subscription, price: Price): Schedule {
    const { id, customer, items } = subscription
    const phases = items.data.flatMap((item) => {
      const end = item.current_period_end
      const later = end + PERIOD_S[price.recurring.interval]
      return [
        { start_date: item.current_period_start, end_date: end, items: [{ price: item.price.id }] },
        { start_date: end, end_date: later, items: [{ price: price.id }] },
      ]
    })
    const stamp = this.stamp('subscription_schedule', 'sub_sched')
    const current_phase = phases[0] ?? null
    const schedule: Schedule = {
      ...stamp,
      customer,
      subscription: id,
      status: 'active',
      current_phase,
      phases,
    }
    this.schedules.set(schedule.id, schedule)
    subscription.schedule = schedule.id
    return schedule
  }

  /** Takes the schedule from a subscription, which goes on as it is. */
  unschedule(id: string | null, status: 'released' | 'canceled'): Schedule | undefined {
    const schedule = this.schedules.get(id ?? '')
    const subscription = this.subscriptions.get(schedule?.subscription ?? '')
    if (subscription) subscription.schedule = null
    return schedule && Object.assign(schedule, { status, subscription: null, current_phase: null })
  }

  end(subscription: Subscription): Subscription {
    this.unschedule(subscription.schedule, 'canceled')
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

  /** Begins the next period. The last phase of a schedule begins with it, and releases the schedule. */
  advance(subscription: Subscription) {
    const schedule = this.unschedule(subscription.schedule, 'released')
    const next = schedule?.phases.at(-1)?.items[0]?.price
    for (const item of subscription.items.data) {
      item.current_period_start = item.current_period_end
      if (next) item.price = this.price(next, 'price')
      item.current_period_end += PERIOD_S[item.price.recurring.interval]
    }
  }

  /** Deletes a customer, whose subscriptions end. */
  forget(id: string): Customer {
    const customer = this.customer(id, 'id')
    for (const subscription of this.subscriptionsOf(id)) this.end(subscription)
    return Object.assign(customer, { deleted: true as const })
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
