import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import {
  checkoutRequest,
  type Invoice,
  type Payment,
  type PlanUse,
  type Subscription,
} from '#contract/billing.ts'
import { z } from '#contract/zod.ts'
import type { Db } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import type { Checkouts } from './checkout.ts'
import { findCheckout } from './checkouts-store.ts'
import { findCustomer } from './customers-store.ts'
import { presentSubscription } from './presenter.ts'
import type { Payer, PaymentProvider } from './provider.ts'
import { findSubscription } from './subscriptions-store.ts'

/** The parts that only a server with payments has. */
export type Payments = {
  provider: PaymentProvider
  checkouts: Checkouts
  /** Reads the account's state from the provider and lets it take effect. */
  refresh: (userId: string) => Promise<void>
}

export type BillingDeps = {
  db: Db
  publicUrl: string
  requireUser: onRequestHookHandler
  payments: Payments | undefined
  usedPlaces: (db: Db, userId: string) => Promise<number>
  planUse: (db: Db, userId: string) => Promise<PlanUse>
  payer: (userId: string) => Promise<Payer>
}

/** Calls a minute from one address at the routes that ask the provider. */
const CALLS_A_MINUTE = { rateLimit: { max: 60, timeWindow: '1 minute' } }

export async function billingRoutes(plain: FastifyInstance, deps: BillingDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db } = deps
  app.addHook('onRequest', deps.requireUser)

  async function currentSubscription(userId: string): Promise<Subscription> {
    const row = await findSubscription(db, userId)
    return presentSubscription(row, await deps.usedPlaces(db, userId))
  }

  function payments(): Payments {
    if (!deps.payments) throw new AppError('billing_off')
    return deps.payments
  }

  app.get('/api/user/subscription', (request) => currentSubscription(request.userId))

  app.get('/api/user/plan-use', (request): Promise<PlanUse> => deps.planUse(db, request.userId))

  app.post(
    '/api/create-checkout-session',
    { config: CALLS_A_MINUTE, schema: { body: checkoutRequest } },
    async (request) => {
      const { checkouts } = payments()
      const payer = await deps.payer(request.userId)
      return { checkoutUrl: await checkouts.start(payer, request.body) }
    },
  )

  app.get(
    '/api/checkout/:id/payment',
    { config: CALLS_A_MINUTE, schema: { params: z.object({ id: z.string() }) } },
    async (request): Promise<Payment> => {
      const { provider } = payments()
      const checkout = await findCheckout(db, request.userId)
      if (checkout?.id !== request.params.id || !checkout.session_id) {
        throw new AppError('checkout_not_found')
      }
      const { id, tier, billing } = checkout
      const form = await provider.paymentOf(checkout.session_id)
      return { id, provider: provider.name, tier, billing, ...form }
    },
  )

  app.post('/api/user/billing-portal', { config: CALLS_A_MINUTE }, async (request) => {
    const { provider } = payments()
    const customer = await findCustomer(db, provider.name, request.userId)
    if (!customer) throw new AppError('no_subscription')
    const returnTo = `${deps.publicUrl}/profile?payment=changed`
    return { portalUrl: await provider.openPortal(customer.customer_id, returnTo) }
  })

  app.get('/api/user/invoices', { config: CALLS_A_MINUTE }, async (request): Promise<Invoice[]> => {
    if (!deps.payments) return []
    const { provider } = deps.payments
    const customer = await findCustomer(db, provider.name, request.userId)
    return customer ? provider.invoicesOf(customer.customer_id) : []
  })

  app.post('/api/user/subscription/refresh', { config: CALLS_A_MINUTE }, async (request) => {
    await payments().refresh(request.userId)
    return currentSubscription(request.userId)
  })

  for (const [action, ending] of [
    ['cancel', true],
    ['resume', false],
  ] as const) {
    app.post(`/api/user/subscription/${action}`, { config: CALLS_A_MINUTE }, async (request) => {
      const { provider, refresh } = payments()
      const row = await findSubscription(db, request.userId)
      const isOver = !row || row.status === 'canceled'
      if (isOver || row.provider !== provider.name || !row.subscription_id) {
        throw new AppError('no_subscription')
      }
      await provider.setEnding(row.subscription_id, ending)
      await refresh(request.userId)
      return currentSubscription(request.userId)
    })
  }
}
