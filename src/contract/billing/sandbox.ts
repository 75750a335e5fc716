import { z } from '../zod.ts'
import { invoice, checkoutRequest as plan } from './billing.ts'

/** How payments with a test card end. */
export const testCard = z.enum(['pays', 'asks', 'declined', 'fails_later'])
export type TestCard = z.infer<typeof testCard>

/** How far the test clock goes: a month, a year, or to the end of the paid period. */
export const testClockStep = z.enum(['month', 'period', 'year'])
export type TestClockStep = z.infer<typeof testClockStep>

/**
 * Body of POST /api/checkout/{id}/page: what a person does on the page. A change is paid by the card on
 * file, unless there is another.
 */
export const sandboxAct = z.discriminatedUnion('action', [
  z.object({ action: z.literal('pay'), card: testCard.optional() }),
  z.object({ action: z.literal('card'), card: testCard }),
  z.object({ action: z.literal('advance'), step: testClockStep }),
  z.object({ action: z.literal('cancel') }),
  z.object({ action: z.literal('resume') }),
])
export type SandboxAct = z.infer<typeof sandboxAct>

/**
 * A first payment, or a change `from` another plan. In cents: `due` is `price`, which renewals cost, less
 * the unused part of the old plan. If `isLater`, the change waits for `renewsAt`, and 0 is due; a plan that
 * is canceled ends all the same.
 */
const orderPage = z.object({
  kind: z.literal('order'),
  backTo: z.string(),
  from: plan.nullable(),
  to: plan,
  price: z.number().int(),
  due: z.number().int(),
  isLater: z.boolean(),
  endsAtPeriodEnd: z.boolean(),
  renewsAt: z.iso.datetime(),
})
export type OrderPage = z.infer<typeof orderPage>

const card = testCard.exclude(['declined']).nullable()

/** An invoice to be read and printed. `plan` is null for one from before we kept it. */
const testInvoice = invoice.extend({ plan: plan.nullable() })
export type TestInvoice = z.infer<typeof testInvoice>

/** Plan, card and invoices. `subscription` is the newest, over or not; `now` is by the test clock. */
const portalPage = z.object({
  kind: z.literal('portal'),
  backTo: z.string(),
  subscription: plan
    .extend({
      status: z.enum(['active', 'past_due', 'canceled']),
      endsAtPeriodEnd: z.boolean(),
      /** The plan that waits for the next period, if any */
      next: plan.nullable(),
      periodEnd: z.iso.datetime(),
    })
    .nullable(),
  card,
  invoices: z.array(testInvoice),
  /** The account, by whose name its invoices are */
  payer: z.object({ name: z.string(), email: z.string() }),
  now: z.iso.datetime(),
})
export type PortalPage = z.infer<typeof portalPage>

/** GET /api/checkout/{id}/page */
export const sandboxPage = z.discriminatedUnion('kind', [orderPage, portalPage])
export type SandboxPage = z.infer<typeof sandboxPage>

/** Answer of an act: what the page shows next, or where the browser goes from it. */
export const sandboxAnswer = z.union([
  z.object({ kind: z.literal('done'), returnTo: z.string() }),
  sandboxPage,
])
export type SandboxAnswer = z.infer<typeof sandboxAnswer>
