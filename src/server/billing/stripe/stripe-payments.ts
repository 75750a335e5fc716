import type Stripe from 'stripe'
import type { Discount } from '#contract/billing/billing.ts'
import { SECOND_MS } from '#contract/time.ts'
import { AppError } from '../../http/errors.ts'
import type { CheckoutState, OpenPayment } from '../provider.ts'
import { idOf, isMissing } from './stripe-client.ts'

/** The state of a payment in a page of Stripe's, by the session's status. */
const SESSION_STATE: Record<string, CheckoutState> = { open: 'open', complete: 'complete' }

/** The state of a subscription's first payment, by its status; any other means that it was made. */
const STATE_OF: Record<string, CheckoutState> = {
  incomplete: 'open',
  incomplete_expired: 'closed',
  canceled: 'closed',
}

export const stateOf = (status: string): CheckoutState => STATE_OF[status] ?? 'complete'

export async function checkoutState(stripe: Stripe, sessionId: string): Promise<CheckoutState> {
  try {
    if (isSubscription(sessionId)) {
      return stateOf((await stripe.subscriptions.retrieve(sessionId)).status)
    }
    const expand = ['subscription']
    const { status, subscription } = await stripe.checkout.sessions.retrieve(sessionId, { expand })
    // The page was filled in, but its first payment failed later, as a bank transfer can. While it is
    // under way Stripe refuses to void its invoice.
    const isWhole = subscription !== null && typeof subscription !== 'string'
    if (isWhole && stateOf(subscription.status) !== 'complete') return 'closed'
    return SESSION_STATE[status ?? ''] ?? 'closed'
  } catch (error) {
    if (isMissing(error)) return 'closed'
    throw error
  }
}

/** Whether a subscription has ended, or never began. Nothing of it can be changed any more. */
export const isOver = ({ status }: Stripe.Subscription) => stateOf(status) === 'closed'

/** @throws AppError payment_made; checkout_not_found if it is not open any more */
export async function paymentOf(stripe: Stripe, sessionId: string): Promise<OpenPayment> {
  if (!isSubscription(sessionId)) {
    const { status, amount_total } = await stripe.checkout.sessions.retrieve(sessionId)
    if (status === 'complete') throw new AppError('payment_made')
    if (status !== 'open') throw new AppError('checkout_not_found')
    return { amount: amount_total ?? 0, clientSecret: null }
  }
  const expand = ['latest_invoice.confirmation_secret', DISCOUNT_FIELDS]
  const subscription = await stripe.subscriptions.retrieve(sessionId, { expand })
  const state = stateOf(subscription.status)
  if (state === 'complete') throw new AppError('payment_made')
  const { latest_invoice: invoice } = subscription
  if (state !== 'open' || invoice === null || typeof invoice === 'string') {
    throw new AppError('checkout_not_found')
  }
  return presentPayment(subscription, invoice)
}

function presentPayment(subscription: Stripe.Subscription, invoice: Stripe.Invoice): OpenPayment {
  const discount = discountOf(subscription)
  const taken = sumOf(invoice.total_discount_amounts)
  const added = invoice.total_taxes?.filter(({ tax_behavior }) => tax_behavior === 'exclusive')
  return {
    amount: invoice.amount_due,
    clientSecret: invoice.confirmation_secret?.client_secret ?? null,
    ...(added?.length && { tax: sumOf(added) }),
    ...(discount && { discount: { ...discount, taken } }),
  }
}

const sumOf = (parts: { amount: number }[] | null) =>
  parts?.reduce((sum, { amount }) => sum + amount, 0) ?? 0

function isSubscription(sessionId: string): boolean {
  return sessionId.startsWith('sub_')
}

/** The fields to expand for `discountOf`, below a subscription. */
export const DISCOUNT_FIELDS = 'discounts.source.coupon'

/** How long a coupon lasts, unless it lasts forever (Stripe's words). */
const BOUNDED = ['once', 'repeating'] as const

/** The first discount of a subscription; undefined without one, or if the coupon is gone. */
export function discountOf({ discounts: [discount] }: Stripe.Subscription): Discount | undefined {
  if (!discount || typeof discount === 'string') return undefined
  const { coupon } = discount.source
  if (!coupon || typeof coupon === 'string') return undefined
  const { duration, percent_off, amount_off, currency } = coupon
  const lasts = BOUNDED.find((each) => each === duration) ?? 'forever'
  const until = discount.end === null ? null : new Date(discount.end * SECOND_MS).toISOString()
  return { percentOff: percent_off, amountOff: amount_off, currency, lasts, until }
}

/**
 * The id of a promotion code that fits a subscription. Stripe checks the rest when the code is applied.
 * @throws AppError promotion_refused
 */
export async function findPromotion(
  stripe: Stripe,
  { customer, items }: Stripe.Subscription,
  code: string,
): Promise<string> {
  const products = items.data.map(({ price }) => idOf(price.product))
  const expand = ['data.promotion.coupon.applies_to']
  const { data } = await stripe.promotionCodes.list({ code, active: true, limit: 100, expand })
  const usable = data.find(({ customer: owner, promotion: { coupon } }) => {
    const only = typeof coupon === 'string' ? undefined : coupon?.applies_to?.products
    const isForAll = owner === null || idOf(owner) === idOf(customer)
    return isForAll && (!only || only.some((each) => products.includes(each)))
  })
  if (!usable) throw new AppError('promotion_refused')
  return usable.id
}
