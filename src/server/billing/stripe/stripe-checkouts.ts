import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { AppError } from '../../http/errors.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  CustomerGone,
  type OpenCheckout,
  type OpenPayment,
} from '../provider.ts'
import { isMissing, isRefused } from './stripe-client.ts'
import type { StripePrices } from './stripe-prices.ts'

/** The data for opening a payment besides the request. */
export type Till = { prices: StripePrices; isTaxed: boolean }

/** The most open payments of a customer that are closed at once; there is seldom more than one. */
const OPEN_MAX = 300

/** The state of a payment in a page of Stripe's, by the session's status. */
const SESSION_STATE: Record<string, CheckoutState> = { open: 'open', complete: 'complete' }

/** The state of a subscription's first payment, by its status; any other means that it was made. */
const STATE_OF: Record<string, CheckoutState> = {
  incomplete: 'open',
  incomplete_expired: 'closed',
  canceled: 'closed',
}

const stateOf = (status: string): CheckoutState => STATE_OF[status] ?? 'complete'

/**
 * Opens a payment: a page of Stripe's, or a subscription that waits for its first payment on our
 * page.
 * @throws CustomerGone
 */
export async function openCheckout(
  stripe: Stripe,
  till: Till,
  request: CheckoutRequest,
): Promise<OpenCheckout> {
  const { prices } = till
  const price = await prices.idOf(stripe, request)
  try {
    return await openAt(stripe, till, request, price)
  } catch (error) {
    if (!isRefused(error)) throw error
    // The operator may have replaced the price since it was read.
    prices.forget()
    const next = await prices.idOf(stripe, request)
    if (next === price) throw error
    return openAt(stripe, till, request, next)
  }
}

async function openAt(
  stripe: Stripe,
  till: Till,
  request: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  try {
    return request.embedded
      ? await openSubscription(stripe, till, request, price)
      : await openSession(stripe, till, request, price)
  } catch (error) {
    if (isMissing(error, 'customer')) throw new CustomerGone()
    throw error
  }
}

const AUTOMATIC_TAX = { enabled: true }

/** Stripe's page asks for the address and for a tax number, and saves both on the customer. */
const TAXED_PAGE = {
  automatic_tax: AUTOMATIC_TAX,
  billing_address_collection: 'required',
  customer_update: { address: 'auto', name: 'auto' },
  tax_id_collection: { enabled: true },
} satisfies Partial<Stripe.Checkout.SessionCreateParams>

async function openSession(
  stripe: Stripe,
  { isTaxed }: Till,
  { id, userId, customerId, returnTo }: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  const params = {
    mode: 'subscription',
    ui_mode: 'hosted_page',
    customer: customerId,
    line_items: [{ price, quantity: 1 }],
    client_reference_id: userId,
    metadata: { checkout: id },
    subscription_data: { metadata: { checkout: id } },
    success_url: returnTo.success,
    cancel_url: returnTo.cancel,
    allow_promotion_codes: true,
    ...(isTaxed && TAXED_PAGE),
  } satisfies Stripe.Checkout.SessionCreateParams
  const session = await stripe.checkout.sessions.create(params, once(id, params))
  return { sessionId: session.id, url: session.url, isPaid: false }
}

async function openSubscription(
  stripe: Stripe,
  { isTaxed }: Till,
  { id, customerId }: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  const params = {
    customer: customerId,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { checkout: id },
    ...(isTaxed && { automatic_tax: AUTOMATIC_TAX }),
  } satisfies Stripe.SubscriptionCreateParams
  const subscription = await stripe.subscriptions.create(params, once(id, params))
  // The customer's credit can cover the first bill. Then there is nothing to pay on our page.
  const isPaid = stateOf(subscription.status) === 'complete'
  return { sessionId: subscription.id, url: null, isPaid }
}

/**
 * Stripe does a request with the same key once. It refuses the same key with other parameters, as
 * after the customer was replaced, so the key contains a hash of them.
 */
export function once(id: string, params: object): Stripe.RequestOptions {
  const content = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16)
  return { idempotencyKey: `${id}:${content}` }
}

export async function checkoutState(stripe: Stripe, sessionId: string): Promise<CheckoutState> {
  try {
    if (isSubscription(sessionId)) {
      const { status } = await stripe.subscriptions.retrieve(sessionId)
      return stateOf(status)
    }
    const expand = ['subscription']
    const { status, subscription } = await stripe.checkout.sessions.retrieve(sessionId, { expand })
    // The page was filled in, but its first payment failed later, as a bank transfer can.
    if (subscription && typeof subscription !== 'string' && isOver(subscription)) return 'closed'
    return SESSION_STATE[status ?? ''] ?? 'closed'
  } catch (error) {
    if (isMissing(error)) return 'closed'
    throw error
  }
}

const isOver = ({ status }: Stripe.Subscription) => stateOf(status) === 'closed'

/** @throws AppError payment_under_way if one of them has been paid */
export async function closeCheckouts(
  stripe: Stripe,
  customer: string,
  exceptId: string | undefined,
): Promise<void> {
  const isOther = ({ metadata }: { metadata: Stripe.Metadata | null }) =>
    exceptId === undefined || metadata?.checkout !== exceptId
  const bound = { limit: OPEN_MAX }
  const sessions = stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const session of (await sessions.autoPagingToArray(bound)).filter(isOther)) {
    await expireSession(stripe, session.id)
  }
  const incomplete = stripe.subscriptions.list({ customer, status: 'incomplete', limit: 100 })
  for (const subscription of (await incomplete.autoPagingToArray(bound)).filter(isOther)) {
    await endUnpaid(stripe, subscription)
  }
}

async function expireSession(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    await unlessOver(stripe, id, error)
  }
}

/** Voids the invoice first, which Stripe refuses once it is paid; canceling would not be refused. */
async function endUnpaid(stripe: Stripe, { id, latest_invoice }: Stripe.Subscription) {
  const invoice = typeof latest_invoice === 'string' ? latest_invoice : latest_invoice?.id
  try {
    if (invoice) await stripe.invoices.voidInvoice(invoice)
    const { status } = await stripe.subscriptions.retrieve(id)
    if (status === 'incomplete') await stripe.subscriptions.cancel(id)
  } catch (error) {
    await unlessOver(stripe, id, error)
  }
}

/** A payment that could not be closed is paid, or already closed; otherwise the error is thrown. */
async function unlessOver(stripe: Stripe, sessionId: string, error: unknown): Promise<void> {
  if (!isRefused(error)) throw error
  const state = await checkoutState(stripe, sessionId)
  if (state === 'complete') throw new AppError('payment_under_way')
  if (state === 'open') throw error
}

/** @throws AppError payment_made; checkout_not_found if it is not open any more */
export async function paymentOf(stripe: Stripe, sessionId: string): Promise<OpenPayment> {
  if (!isSubscription(sessionId)) {
    const { status, amount_total } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'complete') throw new AppError('payment_made')
    if (status !== 'open') throw new AppError('checkout_not_found')
    return { amount: amount_total ?? 0, clientSecret: null }
  }
  const expand = ['latest_invoice.confirmation_secret']
  const { status, latest_invoice } = await stripe.subscriptions.retrieve(sessionId, { expand })
  if (stateOf(status) === 'complete') throw new AppError('payment_made')
  if (status !== 'incomplete' || latest_invoice === null || typeof latest_invoice === 'string') {
    throw new AppError('checkout_not_found')
  }
  const { amount_due: amount, confirmation_secret, total_taxes } = latest_invoice
  const clientSecret = confirmation_secret?.client_secret ?? null
  const added = total_taxes?.filter(({ tax_behavior }) => tax_behavior === 'exclusive') ?? []
  const tax = added.reduce((sum, part) => sum + part.amount, 0)
  return { amount, clientSecret, ...(added.length > 0 && { tax }) }
}

function isSubscription(sessionId: string): boolean {
  return sessionId.startsWith('sub_')
}
