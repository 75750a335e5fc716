import { invoice } from './billing.ts'
import { billingPeriods, paidTiers } from './plans.ts'
import { z } from './zod.ts'

/**
 * How payments with a test card end. The card's number never leaves the browser: the form sends one
 * of these words.
 */
export const testCard = z.enum(['pays', 'asks', 'declined', 'fails_later'])
export type TestCard = z.infer<typeof testCard>

/** Body of POST /api/checkout/{id}/pay and /card. */
export const cardChoice = z.object({ card: testCard })

/** How far the test clock goes: a month, a year, or to the end of the paid period. */
export const testClockStep = z.enum(['month', 'period', 'year'])
export type TestClockStep = z.infer<typeof testClockStep>

/** Body of POST /api/checkout/{id}/advance. */
export const clockAdvance = z.object({ step: testClockStep })

/** Answer of POST /api/checkout/{id}/pay and /confirm: where the browser goes next. */
export const sandboxDone = z.object({ returnTo: z.string() })
export type SandboxDone = z.infer<typeof sandboxDone>

const plan = z.object({ tier: z.enum(paidTiers), billing: z.enum(billingPeriods) })
const common = z.object({ id: z.string(), backTo: z.string() })

/** A first payment. `price` in cents is paid now and at every renewal. */
const payPage = common.extend({
  kind: z.literal('pay'),
  ...plan.shape,
  price: z.number().int(),
  renewsAt: z.iso.datetime(),
})
export type PayPage = z.infer<typeof payPage>

/**
 * A change to another plan. In cents: `due` is `price` less the `unused` part of the old plan. If
 * `isLater`, it waits for `renewsAt`, and 0 is due; a plan that is canceled ends all the same.
 */
const changePage = common.extend({
  kind: z.literal('change'),
  from: plan,
  to: plan,
  price: z.number().int(),
  unused: z.number().int(),
  due: z.number().int(),
  isLater: z.boolean(),
  endsAtPeriodEnd: z.boolean(),
  renewsAt: z.iso.datetime(),
})
export type ChangePage = z.infer<typeof changePage>

const card = testCard.exclude(['declined']).nullable()

/** Plan, card and invoices. `subscription` is the newest, over or not; `now` is by the test clock. */
const portalPage = common.extend({
  kind: z.literal('portal'),
  subscription: plan
    .extend({
      status: z.enum(['active', 'past_due', 'canceled']),
      endsAtPeriodEnd: z.boolean(),
      /** The plan that waits for the next period, if any; `price` is that of the next bill. */
      next: plan.nullable(),
      price: z.number().int(),
      periodEnd: z.iso.datetime(),
    })
    .nullable(),
  card,
  invoices: z.array(invoice),
  now: z.iso.datetime(),
  isAhead: z.boolean(),
})
export type PortalPage = z.infer<typeof portalPage>

/**
 * An invoice to be read and printed. `plan` has its `price` in cents, of which `amount` was paid: less
 * after a change of plan. Null for an invoice from before we kept it.
 */
const invoicePage = common.extend({
  ...invoice.shape,
  kind: z.literal('invoice'),
  plan: plan.extend({ price: z.number().int() }).nullable(),
  name: z.string(),
  email: z.string(),
})
export type InvoicePage = z.infer<typeof invoicePage>

/** GET /api/checkout/{id}/page */
export const sandboxPage = z.discriminatedUnion('kind', [
  payPage,
  changePage,
  portalPage,
  invoicePage,
])
export type SandboxPage = z.infer<typeof sandboxPage>
