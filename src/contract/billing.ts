import { billingPeriods, tiers } from './plans.ts'
import { z } from './zod.ts'

/** GET /api/user/subscription. `qrCodeLimit` is -1 where the plan has no limit; `currentPeriodEnd` is an instant (ISO 8601). */
export const subscription = z.object({
  tier: z.enum(tiers),
  status: z.string(),
  qrCodeCount: z.number().int(),
  qrCodeLimit: z.number().int(),
  currentPeriodEnd: z.iso.datetime().nullable(),
})
export type Subscription = z.infer<typeof subscription>

/** Body of POST /api/create-checkout-session. The free plan is not bought. */
export const checkoutRequest = z.object({
  tier: z.enum(tiers).exclude(['free']),
  billing: z.enum(billingPeriods),
})
export type CheckoutRequest = z.infer<typeof checkoutRequest>

export const checkoutSession = z.object({ checkoutUrl: z.string() })
