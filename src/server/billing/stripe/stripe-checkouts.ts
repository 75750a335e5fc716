import type Stripe from 'stripe'
import { AppError } from '../../http/errors.ts'
import { type CheckoutRequest, CustomerGone, type OpenCheckout } from '../provider.ts'
import { againIfRefused, idempotent, idOf, isRefused } from './stripe-client.ts'
import { isGone } from './stripe-customers.ts'
import { checkoutState, findPromotion, stateOf } from './stripe-payments.ts'
import type { StripePrices } from './stripe-prices.ts'

/** The data for opening a payment besides the request. */
type CheckoutContext = { prices: StripePrices; isTaxed: boolean }

/** The most open payments of a customer that are closed at once; there is seldom more than one. */
const OPEN_MAX = 300

/**
 * Opens a payment: a page of Stripe's, or a subscription that waits for its first payment on our
 * page.
 * @throws CustomerGone
 */
export async function openCheckout(
  stripe: Stripe,
  context: CheckoutContext,
  request: CheckoutRequest,
): Promise<OpenCheckout> {
  const { prices } = context
  const open = async () => {
    const price = await prices.idOf(stripe, request)
    try {
      if (!request.embedded) return await openSession(stripe, context, request, price)
      return await openSubscription(stripe, request.id, subscriptionFor(context, request, price))
    } catch (error) {
      if (await isGone(stripe, request.customerId, error)) throw new CustomerGone()
      throw error
    }
  }
  return againIfRefused(open, () => prices.forget())
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
  { isTaxed }: CheckoutContext,
  request: CheckoutRequest,
  price: string,
): Promise<OpenCheckout> {
  const { id, workspaceId, customerId, returnTo } = request
  const params = {
    mode: 'subscription',
    ui_mode: 'hosted_page',
    customer: customerId,
    line_items: [{ price, quantity: 1 }],
    client_reference_id: workspaceId,
    metadata: { checkout: id },
    subscription_data: { metadata: { checkout: id }, ...trialOf(request) },
    success_url: returnTo.success,
    cancel_url: returnTo.cancel,
    allow_promotion_codes: true,
    ...(isTaxed && TAXED_PAGE),
  } satisfies Stripe.Checkout.SessionCreateParams
  const session = await stripe.checkout.sessions.create(params, idempotent(id, params))
  return { sessionId: session.id, url: session.url, isPaid: false }
}

/** Stripe's page asks for the card of a trial; a plan whose card is gone ends with its trial. */
const trialOf = ({ trialDays }: CheckoutRequest) =>
  trialDays > 0 && {
    trial_period_days: trialDays,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
  }

function subscriptionFor({ isTaxed }: CheckoutContext, request: CheckoutRequest, price: string) {
  return {
    customer: request.customerId,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { checkout: request.id },
    ...(isTaxed && { automatic_tax: AUTOMATIC_TAX }),
  } satisfies Stripe.SubscriptionCreateParams
}

async function openSubscription(
  stripe: Stripe,
  key: string,
  params: Stripe.SubscriptionCreateParams,
): Promise<OpenCheckout> {
  const subscription = await stripe.subscriptions.create(params, idempotent(key, params))
  // The customer's credit can cover the first bill. Then there is nothing to pay on our page.
  const isPaid = stateOf(subscription.status) === 'complete'
  return { sessionId: subscription.id, url: null, isPaid }
}

/**
 * Replaces an embedded payment by one with a promotion code. Stripe changes no incomplete subscription, so
 * another one is made. The former one is closed before: with its invoice open, a code for first orders is
 * refused. If Stripe refuses the code, the payment is opened again without it.
 * @throws AppError promotion_refused, payment_under_way
 */
export async function applyPromotion(
  stripe: Stripe,
  context: CheckoutContext,
  request: CheckoutRequest,
  { sessionId, code }: { sessionId: string; code: string },
): Promise<OpenCheckout & { isRefused?: boolean }> {
  const former = await stripe.subscriptions.retrieve(sessionId)
  const promotion_code = await findPromotion(stripe, former, code)
  const key = `${request.id}:${sessionId}`
  const params = subscriptionFor(context, request, former.items.data[0]?.price.id ?? '')
  await endUnpaid(stripe, former)
  try {
    return await openSubscription(stripe, key, { ...params, discounts: [{ promotion_code }] })
  } catch (error) {
    if (!isRefused(error)) throw error
    return { ...(await openSubscription(stripe, key, params)), isRefused: true }
  }
}

/**
 * Closes the payments that we opened; those that the operator made stay.
 * @throws AppError payment_under_way if one of them has been paid
 */
export async function closeCheckouts(
  stripe: Stripe,
  customer: string,
  exceptId: string | undefined,
): Promise<void> {
  const isOther = ({ id, metadata }: { id: string; metadata: Stripe.Metadata | null }) =>
    metadata?.checkout !== undefined && id !== exceptId && metadata.checkout !== exceptId
  const bound = { limit: OPEN_MAX }
  const sessions = stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  for (const session of (await sessions.autoPagingToArray(bound)).filter(isOther)) {
    await expireSession(stripe, session.id)
  }
  const subscriptions = stripe.subscriptions.list({ customer, limit: 100 })
  for (const subscription of (await subscriptions.autoPagingToArray(bound)).filter(isOther)) {
    if (stateOf(subscription.status) === 'open') await endUnpaid(stripe, subscription)
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
    const state = await checkoutState(stripe, id)
    if (state === 'complete') throw new AppError('payment_under_way')
    if (state === 'open') await stripe.subscriptions.cancel(id)
  } catch (error) {
    await unlessOver(stripe, id, error)
  }
}

/** A payment that could not be closed is paid, being paid, or already closed. */
async function unlessOver(stripe: Stripe, sessionId: string, error: unknown): Promise<void> {
  if (!isRefused(error)) throw error
  const state = await checkoutState(stripe, sessionId)
  if (state !== 'closed') throw new AppError('payment_under_way')
}
