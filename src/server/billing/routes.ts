import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { checkoutRequest, type Subscription } from '#contract/billing.ts'
import type { Db } from '../database/schema.ts'
import { AppError } from '../errors.ts'
import { entitlements } from './entitlements.ts'
import { findSubscription } from './subscriptions-store.ts'

export type BillingDeps = {
  db: Db
  requireUser: onRequestHookHandler
  usedPlaces: (db: Db, userId: string) => Promise<number>
}

export async function billingRoutes(plain: FastifyInstance, deps: BillingDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  app.addHook('onRequest', deps.requireUser)

  app.get('/api/user/subscription', async (request): Promise<Subscription> => {
    const row = await findSubscription(deps.db, request.userId)
    const end = row?.current_period_end
    return {
      tier: row?.tier ?? 'free',
      status: row?.status ?? 'active',
      qrCodeCount: await deps.usedPlaces(deps.db, request.userId),
      qrCodeLimit: entitlements(row).codeLimit,
      currentPeriodEnd: end ? new Date(end).toISOString() : null,
    }
  })

  app.post('/api/create-checkout-session', { schema: { body: checkoutRequest } }, async () => {
    throw new AppError('billing_off')
  })
}
