import type { Books } from './books.ts'
import { type Endpoint, endpoint, page } from './endpoint.ts'
import type { Customer, Subscription } from './objects.ts'
import * as take from './parameters.ts'
import { portalEndpoints } from './portal-endpoints.ts'
import { previewEndpoint } from './preview-endpoint.ts'
import { found, missing, StripeRefusal } from './refusals.ts'
import { setupEndpoints } from './setup-endpoints.ts'

/** Stripe finds a place by its country and postal code. */
function checkLocation(address: Customer['address']) {
  if (address && (address.country !== 'US' || /^\d{5}$/.test(address.postal_code))) return
  const code = 'customer_tax_location_invalid'
  throw new StripeRefusal(400, { code, message: 'The customer’s location isn’t recognized.' })
}

const customers = [
  endpoint('POST /v1/customers', take.customerNew, (books, params) => {
    const customer = { ...books.stamp('customer', 'cus'), ...params }
    books.customers.set(customer.id, customer)
    return customer
  }),
  endpoint('POST /v1/customers/:id', take.customerChange, (books, { name, address }, id) => {
    const customer = books.customer(id, 'id')
    checkLocation(address)
    return Object.assign(customer, { name, address })
  }),
  endpoint('GET /v1/customers', take.customerList, (books, paging) => {
    const present = [...books.customers.values()].filter(({ deleted }) => !deleted)
    return page(present, '/v1/customers', paging)
  }),
  endpoint('GET /v1/customers/:id', take.nothing, (books, _params, id) => {
    const customer = found(books.customers.get(id), 'customer', id)
    return customer.deleted ? { id, object: 'customer', deleted: true } : customer
  }),
  endpoint('DELETE /v1/customers/:id', take.nothing, (books, _params, id) => {
    books.forget(id)
    return { id, object: 'customer', deleted: true }
  }),
]

const UNTAXED = { enabled: false }

const sessions = [
  endpoint('POST /v1/checkout/sessions', take.sessionNew, (books, params) => {
    const [line] = params.line_items
    const { price } = books.order(params.customer, line?.price, 'line_items[0][price]')
    const stamp = books.stamp('checkout.session', `cs_${books.isLive ? 'live' : 'test'}`)
    const { customer, metadata = {}, client_reference_id = null, success_url, cancel_url } = params
    books.sessions.set(stamp.id, {
      ...stamp,
      customer,
      metadata,
      client_reference_id,
      success_url,
      cancel_url,
      status: 'open',
      price: price.id,
      amount_total: price.unit_amount,
      subscription: null,
      subscription_metadata: params.subscription_data?.metadata ?? {},
      automatic_tax: params.automatic_tax ?? UNTAXED,
      tax_id_collection: params.tax_id_collection ?? UNTAXED,
      trial_days: params.subscription_data?.trial_period_days ?? 0,
      url: `https://checkout.stripe.test/c/pay/${stamp.id}`,
    })
    return books.sessions.get(stamp.id)
  }),
  endpoint('GET /v1/checkout/sessions', take.sessionList, (books, { customer, ...asked }) => {
    books.customer(customer, 'customer')
    const { status, ...paging } = asked
    return page(books.sessionsOf(customer, status), '/v1/checkout/sessions', paging)
  }),
  endpoint('GET /v1/checkout/sessions/:id', take.sessionRead, (books, { expand = [] }, id) => {
    const session = found(books.sessions.get(id), 'checkout.session', id)
    const subscription = books.subscriptions.get(session.subscription ?? '')
    return expand.includes('subscription') && subscription ? { ...session, subscription } : session
  }),
  endpoint('POST /v1/checkout/sessions/:id/expire', take.nothing, (books, _params, id) => {
    const session = found(books.sessions.get(id), 'checkout.session', id)
    if (session.status !== 'open') {
      throw new StripeRefusal(400, { message: `Only open sessions expire: ${session.status}` })
    }
    return Object.assign(session, { status: 'expired', url: null })
  }),
]

const EXPANDABLE =
  /^(latest_invoice(\.confirmation_secret)?|customer\.tax|discounts\.source\.coupon|schedule)$/

/** A subscription with the objects that `expand` names instead of their ids. */
function expanded(books: Books, id: string, expand: string[] = []) {
  const subscription = books.subscription(id)
  const unknown = expand.filter((path) => !EXPANDABLE.test(path))
  if (unknown.length > 0) throw new StripeRefusal(400, { message: `Cannot expand ${unknown}` })
  const { discounts } = subscription
  const isAsked = (path: string) => expand.some((name) => name.startsWith(path))
  return {
    ...subscription,
    customer: isAsked('customer') ? located(books, subscription) : subscription.customer,
    latest_invoice: isAsked('latest_invoice')
      ? invoiceOf(books, subscription, expand)
      : subscription.latest_invoice,
    discounts: isAsked('discounts') ? discounts : discounts.map((discount) => discount.id),
    schedule: isAsked('schedule')
      ? (books.schedules.get(subscription.schedule ?? '') ?? subscription.schedule)
      : subscription.schedule,
  }
}

function invoiceOf(books: Books, { latest_invoice }: Subscription, expand: string[]) {
  const invoice = found(books.invoices.get(latest_invoice), 'invoice', latest_invoice)
  const { client_secret, ...open } = invoice
  const confirmation_secret =
    invoice.status === 'open' ? { client_secret, type: 'payment_intent' } : null
  const isAsked = expand.includes('latest_invoice.confirmation_secret')
  return isAsked ? { ...open, confirmation_secret } : open
}

/** The customer, and whether Stripe knows where that is. */
function located(books: Books, subscription: Subscription) {
  const customer = books.customer(subscription.customer)
  const known = customer.address?.country === 'US' ? 'supported' : 'not_collecting'
  const automatic_tax = customer.address ? known : 'unrecognized_location'
  return { ...customer, tax: { automatic_tax } }
}

const subscriptions = [
  endpoint('POST /v1/subscriptions', take.subscriptionNew, (books, params) => {
    const [item] = params.items
    const { price, customer } = books.order(params.customer, item?.price, 'items[0][price]')
    const { balance = 0 } = customer
    const isTaxed = params.automatic_tax?.enabled ?? false
    if (isTaxed) checkLocation(customer.address)
    const [coded] = params.discounts ?? []
    const discount = coded && books.discount(coded.promotion_code, params.customer)
    const begun = { isTaxed, discount }
    const subscription = books.begin(params.customer, price, params.metadata ?? {}, begun)
    const due = books.invoices.get(subscription.latest_invoice)?.amount_due ?? 0
    if (balance + due <= 0) books.coverByCredit(subscription)
    return expanded(books, subscription.id, params.expand)
  }),
  endpoint('GET /v1/subscriptions', take.subscriptionList, (books, params) => {
    const { customer, status, automatic_tax, expand = [], ...paging } = params
    if (customer) books.customer(customer, 'customer')
    const all = [...books.subscriptions.values()].filter(
      (one) =>
        (!customer || one.customer === customer) &&
        (status === 'all' || one.status !== 'canceled') &&
        (!automatic_tax || one.automatic_tax.enabled === automatic_tax.enabled),
    )
    const list = page(all, '/v1/subscriptions', paging)
    const paths = expand.map((path) => path.replace('data.', ''))
    return { ...list, data: list.data.map(({ id }) => expanded(books, id, paths)) }
  }),
  endpoint('GET /v1/subscriptions/:id', take.subscriptionRead, (books, { expand }, id) =>
    expanded(books, id, expand),
  ),
  endpoint('POST /v1/subscriptions/:id', take.subscriptionChange, (books, change, id) => {
    const subscription = books.subscription(id)
    if (/^(canceled|incomplete_expired)$/.test(subscription.status)) {
      throw new StripeRefusal(400, { message: 'A canceled subscription cannot be changed' })
    }
    if (subscription.schedule) {
      const message = `The subscription is managed by the subscription schedule ${subscription.schedule}`
      throw new StripeRefusal(400, { message })
    }
    if (change.automatic_tax) {
      checkLocation(books.customer(subscription.customer).address)
      return Object.assign(subscription, { automatic_tax: change.automatic_tax })
    }
    if (change.cancel_at !== undefined) {
      const cancel_at = change.cancel_at === '' ? null : change.cancel_at
      const canceled_at = cancel_at && books.seconds()
      return Object.assign(subscription, { cancel_at, canceled_at, cancel_at_period_end: false })
    }
    const end = subscription.items.data[0]?.current_period_end ?? null
    const ending = change.cancel_at_period_end === true
    return Object.assign(subscription, {
      cancel_at_period_end: ending,
      cancel_at: ending ? end : null,
      canceled_at: ending ? books.seconds() : null,
    })
  }),
  endpoint('DELETE /v1/subscriptions/:id', take.nothing, (books, _params, id) => {
    const subscription = books.subscription(id)
    if (subscription.status === 'canceled') throw missing('subscription', id)
    return books.end(subscription)
  }),
]

const schedules = [
  endpoint('POST /v1/subscription_schedules/:id/release', take.nothing, (books, _params, id) => {
    const schedule = found(books.schedules.get(id), 'subscription_schedule', id)
    if (schedule.status !== 'active') {
      const message = `You cannot release a subscription schedule that is \`${schedule.status}\``
      throw new StripeRefusal(400, { message })
    }
    return books.unschedule(id, 'released')
  }),
]

const invoices = [
  endpoint('GET /v1/invoices', take.invoiceList, (books, { customer, status, ...paging }) => {
    books.customer(customer, 'customer')
    const all = [...books.invoices.values()].filter(
      (one) => one.customer === customer && (!status || one.status === status),
    )
    const open = all.map(({ client_secret: _secret, ...invoice }) => invoice)
    return page(open, '/v1/invoices', paging)
  }),
  endpoint('POST /v1/invoices/:id/void', take.nothing, (books, _params, id) => {
    const invoice = found(books.invoices.get(id), 'invoice', id)
    if (invoice.status !== 'open') {
      throw new StripeRefusal(400, { message: "You can only pass in open invoices. This isn't." })
    }
    const subscription = books.subscription(invoice.subscription)
    if (subscription.status === 'incomplete') subscription.status = 'incomplete_expired'
    const { client_secret: _secret, ...open } = Object.assign(invoice, { status: 'void' })
    return open
  }),
]

const promotions = [
  endpoint('GET /v1/promotion_codes', take.promotionList, (books, { code, active, ...paging }) => {
    const all = [...books.promotions.values()].filter(
      (one) => one.code.toLowerCase() === code.toLowerCase() && one.active === active,
    )
    return page(all, '/v1/promotion_codes', paging)
  }),
]

const charges = [
  endpoint('GET /v1/charges', take.chargeList, (books, { customer, expand, ...paging }) => {
    books.customer(customer, 'customer')
    const all = [...books.charges.values()].filter((one) => one.customer === customer)
    const told = all.map(({ refunds, ...charge }) => {
      const list = page(refunds, `/v1/charges/${charge.id}/refunds`, {})
      return expand ? { ...charge, refunds: list } : charge
    })
    return page(told, '/v1/charges', paging)
  }),
  endpoint('GET /v1/disputes', take.disputeList, (books, { charge, ...paging }) => {
    const all = [...books.disputes.values()].filter((one) => one.charge === charge)
    return page(all, '/v1/disputes', paging)
  }),
]

export const endpoints: Endpoint[] = [
  ...promotions,
  ...customers,
  ...sessions,
  ...subscriptions,
  ...schedules,
  ...invoices,
  previewEndpoint,
  ...charges,
  ...portalEndpoints,
  ...setupEndpoints,
]
