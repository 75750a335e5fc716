import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { AppError } from '../../http/errors.ts'
import {
  type CheckoutRequest,
  type CheckoutState,
  CustomerGone,
  type OpenCheckout,
} from '../provider.ts'
import { idOf, isMissing, isRefused } from './stripe-client.ts'
import type { StripePrices } from './stripe-prices.ts'

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
  prices: StripePrices,
  request: CheckoutRequest,
): Promise<OpenCheckout> {
  const price = await prices.idOf(stripe, request)
  try {
    return await openAt(stripe, request, price)
  } catch (error) {
    if (!isRefused(error)) throw error
    // The operator may have replaced the price since it was read.
    prices.forget()
    const next = await prices.idOf(stripe, request)
    if (next === price) throw error
    return openAt(stripe, request, next)
  }
}

async function openAt(
  stripe: Stripe,
  request: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  try {
    return request.embedded
      ? await openSubscription(stripe, request, price)
      : await openSession(stripe, request, price)
  } catch (error) {
    if (isMissing(error, 'customer')) throw new CustomerGone()
    throw error
  }
}

async function openSession(
  stripe: Stripe,
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
  } satisfies Stripe.Checkout.SessionCreateParams
  const session = await stripe.checkout.sessions.create(params, once(id, params))
  return { sessionId: session.id, url: session.url, isPaid: false }
}

async function openSubscription(
  stripe: Stripe,
  { id, customerId }: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  const params = {
    customer: customerId,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { checkout: id },
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

/** Whether a subscription has ended, or never began. Nothing of it can be changed any more. */
export const isOver = ({ status }: Stripe.Subscription) => stateOf(status) === 'closed'

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
  try {
    if (latest_invoice) await stripe.invoices.voidInvoice(idOf(latest_invoice))
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
export async function paymentOf(
  stripe: Stripe,
  sessionId: string,
): Promise<{ amount: number; clientSecret: string | null }> {
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
  const clientSecret = latest_invoice.confirmation_secret?.client_secret ?? null
  return { amount: latest_invoice.amount_due, clientSecret }
}

function isSubscription(sessionId: string): boolean {
  return sessionId.startsWith('sub_')
}
