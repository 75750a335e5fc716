import { plainText, z } from '../zod.ts'
import { billingPeriods, paidTiers, tiers } from './plans.ts'

/**
 * A discount by a promotion code: of `percentOff`, or of `amountOff` in the smallest unit of
 * `currency`. `lasts` says for how long; `until` is the instant of its end if it has one.
 */
export const discount = z.object({
  percentOff: z.number().nullable(),
  amountOff: z.number().int().nullable(),
  currency: z.string().nullable(),
  lasts: z.enum(['once', 'repeating', 'forever']),
  until: z.iso.datetime().nullable(),
})
export type Discount = z.infer<typeof discount>

/**
 * GET /api/user/subscription. `tier` is the plan that counts now; after a lapse `previousTier` is the
 * one that was. `qrCodeLimit` is -1 where the plan has no limit. `currentPeriodEnd` is an instant (ISO
 * 8601): until when the plan is paid, which has passed if a renewal failed, and after its end when it
 * ended. `status` is the payment provider's, but 'canceling' for a plan that counts and will not renew.
 * `billing` is null for a plan without payments. `discount` is there while one lasts, and `hadTrial`
 * once the account has had its free trial. `unpaid` is there while a payment has failed. `next` is the
 * change that happens by itself at the end of the paid period, if one is planned.
 */
export const subscription = z.object({
  tier: z.enum(tiers),
  previousTier: z.enum(paidTiers).optional(),
  status: z.string(),
  qrCodeCount: z.number().int(),
  qrCodeLimit: z.number().int(),
  currentPeriodEnd: z.iso.datetime().nullable(),
  billing: z.enum(billingPeriods).nullable(),
  discount: discount.optional(),
  hadTrial: z.boolean().optional(),
  unpaid: z.literal(true).optional(),
  next: z
    .object({ tier: z.enum(paidTiers), billing: z.enum(billingPeriods), at: z.iso.datetime() })
    .optional(),
})
export type Subscription = z.infer<typeof subscription>

/** `status` of a plan that counts and will not renew. */
export const CANCELING = 'canceling'

/** Body of POST /api/create-checkout-session. The free plan is not bought. */
export const checkoutRequest = z.object({
  tier: z.enum(paidTiers),
  billing: z.enum(billingPeriods),
})
export type CheckoutRequest = z.infer<typeof checkoutRequest>

/**
 * GET /api/user/subscription/preview: the cost of a change to another plan at once. Amounts are in
 * cents, with tax. Null if only the payment provider's page has them.
 */
export const changePreview = z
  .object({
    dueToday: z.number().int(),
    renewal: z.number().int(),
    renewsAt: z.iso.datetime(),
  })
  .nullable()
export type ChangePreview = NonNullable<z.infer<typeof changePreview>>

export const checkoutSession = z.object({ checkoutUrl: z.string() })

/** Answer of POST /api/user/billing-portal: where invoices, cards and the plan are managed. */
export const billingPortal = z.object({ portalUrl: z.string() })

/** One of GET /api/user/invoices, newest first, at most INVOICES_MAX. `amount` is in cents. */
export const invoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  date: z.iso.datetime(),
  amount: z.number().int(),
  currency: z.string(),
  status: z.string(),
  url: z.string().nullable(),
})
export type Invoice = z.infer<typeof invoice>
export const INVOICES_MAX = 24

/** GET /api/user/plan-use: what of an account a change of plan touches, in numbers of codes. */
export const planUse = z.object({
  codes: z.number().int(),
  /** Codes with a custom path */
  customPaths: z.number().int(),
  /** Codes that stop working on a day, or have */
  ending: z.number().int(),
})
export type PlanUse = z.infer<typeof planUse>

/**
 * GET /api/checkout/{id}/payment: a payment to be made in a page of ours. `amount` is in cents, due now.
 * `clientSecret` is for Stripe's payment form; null in the sandbox, whose form is ours. With
 * `needsAddress` the billing address is asked first, because tax depends on it. `tax` is what is added to
 * the price, and `taken` what the discount takes off it today, in cents.
 */
export const payment = z.object({
  id: z.string(),
  provider: z.enum(['stripe', 'sandbox']),
  tier: z.enum(paidTiers),
  billing: z.enum(billingPeriods),
  amount: z.number().int(),
  clientSecret: z.string().nullable(),
  needsAddress: z.boolean().optional(),
  tax: z.number().int().optional(),
  discount: discount.extend({ taken: z.number().int() }).optional(),
})
export type Payment = z.infer<typeof payment>

const line = plainText.max(200)

/** Body of POST /api/checkout/{id}/address: a billing address, as Stripe's form has it. */
export const billingAddress = z.object({
  name: line,
  address: z.object({
    line1: line,
    line2: line.nullable(),
    city: line,
    state: line,
    postal_code: line,
    country: line,
  }),
})
export type BillingAddress = z.infer<typeof billingAddress>

/** Body of POST /api/checkout/{id}/promotion. */
export const promotion = z.object({ code: plainText.min(1).max(100) })
