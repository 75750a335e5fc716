import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  billingAddress,
  billingPortal,
  CANCELING,
  changePreview,
  checkoutRequest,
  checkoutSession,
  type Discount,
  discount,
  invoice,
  type PlanUse,
  payment,
  planUse,
  promotion,
  type Subscription,
  subscription,
} from '#contract/billing/billing.ts'
import { chargeInCents, plans } from '#contract/billing/plans.ts'
import { idParams, z } from '#contract/zod.ts'
import type { Actor } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import { count } from '../http/limits/counts-store.ts'
import { memoryLimits } from '../http/limits/limits.ts'
import { rateLimit } from '../http/limits/memory-counts.ts'
import { deletionOf, unlessOwn } from '../memberships.ts'
import { type Checkouts, changedUrl, type Given, type PayingActor } from './checkout.ts'
import { type Checkout, findCheckout } from './checkouts-store.ts'
import { findCustomer, hadTrial } from './customers-store.ts'
import { isEntitled, tierNow, tierOf, UNPAID } from './entitlements.ts'
import type { Payer, PaymentProvider } from './provider.ts'
import { entitlementsOf, findSubscription, type SubscriptionRow } from './subscriptions-store.ts'

/** The parts that only a server with payments has. */
export type Payments = {
  provider: PaymentProvider
  checkouts: Checkouts
  /** Reads the account's state from the provider and applies it. */
  refresh: (actor: Actor) => Promise<void>
}

export type BillingDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  requireUser: onRequestHookHandler
  payments: Payments | undefined
  usedSlots: (db: Db, workspaceId: WorkspaceId) => Promise<number>
  planUse: (db: Db, workspaceId: WorkspaceId) => Promise<PlanUse>
  payer: (workspaceId: WorkspaceId) => Promise<Payer>
}

/** Changes of a running subscription, by the last part of their call's path. */
const CHANGES: Record<
  string,
  (provider: PaymentProvider, subscriptionId: string) => Promise<void>
> = {
  cancel: (provider, id) => provider.setCancelAtPeriodEnd(id, true),
  resume: (provider, id) => provider.setCancelAtPeriodEnd(id, false),
  keep: (provider, id) => provider.keepPlan(id),
}

/** The entries on our page for a payment, by the last part of their call's path. */
const ENTRIES: Record<string, z.ZodType<Given>> = {
  address: billingAddress.transform((address) => ({ address })),
  promotion,
}

/** For the routes that ask the provider, behind `requireUser`. */
const countCall = () => ({
  onRequest: rateLimit(memoryLimits['payment-calls'], ({ rateLimitKey }) => rateLimitKey),
})

/**
 * Bounds all calls to the provider that a request makes, below the 60 s that proxies wait. They go on, and asking
 * again repeats none of them.
 */
const ANSWER_MS = 40_000

export async function billingRoutes(plain: FastifyInstance, deps: BillingDeps) {
  plain.addHook('onRoute', (route) => {
    route.handlerTimeout = ANSWER_MS
  })
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock } = deps
  app.addHook('onRequest', deps.requireUser)

  /** The account's customer at the provider of this server, if any. */
  const customerOf = async (workspaceId: WorkspaceId) =>
    deps.payments && findCustomer(db, deps.payments.provider.name, workspaceId)

  async function subscriptionOf(workspaceId: WorkspaceId): Promise<Subscription> {
    const row = await findSubscription(db, workspaceId)
    const { codeLimit } = await entitlementsOf(db, workspaceId)
    return {
      ...present(row, codeLimit, await deps.usedSlots(db, workspaceId), clock()),
      ...((await hadTrial(db, workspaceId)) && { hadTrial: true }),
    }
  }

  /** A plan would renew although its account or its workspace ends. @throws AppError account_leaving, workspace_leaving */
  async function payerWhoStays({ personId, workspaceId }: Actor): Promise<Payer> {
    const deletion = await deletionOf(db, workspaceId)
    if (deletion) {
      throw new AppError(deletion.user_id === personId ? 'account_leaving' : 'workspace_leaving')
    }
    return deps.payer(workspaceId)
  }

  /** Counts a payment. @throws as `payerWhoStays`, AppError rate_limited */
  async function payerWhoPays({ actor }: FastifyRequest): Promise<PayingActor> {
    const payer = await payerWhoStays(actor)
    await count(db, 'payments', actor.workspaceId, clock())
    return { ...payer, actor, place: await unlessOwn(db, actor) }
  }

  /** The id of the account's subscription at the provider. @throws AppError no_subscription if it is over */
  async function runningId({ provider }: Payments, workspaceId: WorkspaceId): Promise<string> {
    const row = await findSubscription(db, workspaceId)
    const isOver = !row || row.status === 'canceled'
    if (isOver || row.provider !== provider.name || !row.subscription_id) {
      throw new AppError('no_subscription')
    }
    return row.subscription_id
  }

  function payments(): Payments {
    if (!deps.payments) throw new AppError('billing_off')
    return deps.payments
  }

  const answersSubscription = { response: { 200: subscription } }
  app.get('/api/user/subscription', { schema: answersSubscription }, (request) =>
    subscriptionOf(request.actor.workspaceId),
  )

  app.get('/api/user/plan-use', { schema: { response: { 200: planUse } } }, (request) =>
    deps.planUse(db, request.actor.workspaceId),
  )

  app.post(
    '/api/create-checkout-session',
    {
      ...countCall(),
      schema: { body: checkoutRequest, response: { 200: checkoutSession } },
    },
    async (request) => {
      const { checkouts } = payments()
      return { checkoutUrl: await checkouts.start(await payerWhoPays(request), request.body) }
    },
  )

  async function checkoutOf(workspaceId: WorkspaceId, id: string): Promise<Checkout> {
    const checkout = await findCheckout(db, workspaceId)
    if (checkout?.id === id) return checkout
    const row = checkout ? undefined : await findSubscription(db, workspaceId)
    // A payment that was made leaves no row.
    const isMade = row && isEntitled(row) && row.provider === payments().provider.name
    throw new AppError(isMade ? 'payment_made' : 'checkout_not_found')
  }

  app.get(
    '/api/checkout/:id/payment',
    { ...countCall(), schema: { params: idParams, response: { 200: payment } } },
    async (request) => {
      const { provider } = payments()
      const checkout = await checkoutOf(request.actor.workspaceId, request.params.id)
      const { id, tier, billing, session_id } = checkout
      const plan = { id, provider: provider.name, tier, billing }
      if (session_id) return { ...plan, ...(await provider.paymentOf(session_id)) }
      if (!provider.tax) throw new AppError('checkout_not_found')
      const amount = chargeInCents(plans[tier], billing)
      return { ...plan, amount, clientSecret: null, needsAddress: true }
    },
  )

  for (const [entry, body] of Object.entries(ENTRIES)) {
    app.post(
      `/api/checkout/:id/${entry}`,
      { ...countCall(), schema: { params: idParams, body, response: { 200: checkoutSession } } },
      async (request) => {
        const { checkouts } = payments()
        const { tier, billing } = await checkoutOf(request.actor.workspaceId, request.params.id)
        const payer = await payerWhoPays(request)
        return { checkoutUrl: await checkouts.start(payer, { tier, billing }, request.body) }
      },
    )
  }

  app.post(
    '/api/user/billing-portal',
    { ...countCall(), schema: { response: { 200: billingPortal } } },
    async (request) => {
      const { provider } = payments()
      const customer = await customerOf(request.actor.workspaceId)
      if (!customer) throw new AppError('no_subscription')
      await count(db, 'payments', request.actor.workspaceId, clock())
      const returnTo = changedUrl(deps.publicUrl, await unlessOwn(db, request.actor))
      return { portalUrl: await provider.openPortal(customer.customer_id, returnTo) }
    },
  )

  app.get(
    '/api/user/invoices',
    { ...countCall(), schema: { response: { 200: z.array(invoice) } } },
    async (request) => {
      const customer = await customerOf(request.actor.workspaceId)
      return customer ? payments().provider.invoicesOf(customer.customer_id) : []
    },
  )

  const change = { ...countCall(), schema: answersSubscription }
  app.post('/api/user/subscription/refresh', change, async (request) => {
    await payments().refresh(request.actor)
    return subscriptionOf(request.actor.workspaceId)
  })

  for (const [action, make] of Object.entries(CHANGES)) {
    app.post(`/api/user/subscription/${action}`, change, async (request) => {
      const { provider, refresh } = payments()
      const id = await runningId(payments(), request.actor.workspaceId)
      if (action === 'resume') await payerWhoStays(request.actor)
      await make(provider, id)
      await refresh(request.actor)
      return subscriptionOf(request.actor.workspaceId)
    })
  }

  app.get(
    '/api/user/subscription/preview',
    {
      ...countCall(),
      schema: { querystring: checkoutRequest, response: { 200: changePreview } },
    },
    async (request) => {
      const subscriptionId = await runningId(payments(), request.actor.workspaceId)
      return payments().provider.previewChange({ ...request.query, subscriptionId })
    },
  )
}

/**
 * A subscription as the API answers it; an account without a row is on the free plan. Of a plan that
 * does not count any more only the day of its end is shown, never one that was not paid for.
 */
function present(
  row: SubscriptionRow | undefined,
  codeLimit: number,
  usedSlots: number,
  now: Date,
): Subscription {
  const tier = tierNow(row)
  const named = tierOf(row)
  const hasLapsed = named !== 'free' && tier === 'free'
  const end = row?.current_period_end ?? null
  const hasEnded = row?.status === 'canceled' && end !== null && end <= now.getTime()
  const isCanceling = row && isEntitled(row) && row.ends_at_period_end
  const lasting = lastingDiscount(row, now)
  return {
    tier,
    ...(hasLapsed && { previousTier: named }),
    status: isCanceling ? CANCELING : (row?.status ?? 'active'),
    qrCodeCount: usedSlots,
    qrCodeLimit: codeLimit,
    currentPeriodEnd: end !== null && (!hasLapsed || hasEnded) ? new Date(end).toISOString() : null,
    billing: row?.billing ?? null,
    ...(lasting && { discount: lasting }),
    ...(row && UNPAID.includes(row.status) && { unpaid: true as const }),
    ...(tier !== 'free' && { next: plannedChange(row, now) }),
  }
}

/** The discount of the next bill. One that is over goes once the provider's state is read again. */
function lastingDiscount(row: SubscriptionRow | undefined, now: Date): Discount | undefined {
  if (!row?.discount) return undefined
  const stored = discount.parse(JSON.parse(row.discount))
  const isOver = stored.until !== null && Date.parse(stored.until) <= now.getTime()
  return isOver ? undefined : stored
}

/** The change that is still to come; a past one shows once the provider's state is read again. */
function plannedChange(row: SubscriptionRow | undefined, now: Date): Subscription['next'] {
  const { next_tier: tier, next_billing: billing, next_at: at } = row ?? {}
  if (!tier || !billing || !at || at <= now.getTime()) return undefined
  return { tier, billing, at: new Date(at).toISOString() }
}
