import type Stripe from 'stripe'
import type { Discount } from '#contract/billing.ts'
import { SECOND_MS } from '#contract/time.ts'
import { AppError } from '../../http/errors.ts'
import { idOf } from './stripe-client.ts'

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
