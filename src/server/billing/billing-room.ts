import type { FastifyInstance, InjectOptions } from 'fastify'
import { type Actor, serverFor } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db } from '../database/schema.ts'
import { applyCommonHeaders } from '../http/policy/site-policy.ts'
import type { Job } from '../jobs.ts'
import type { RoomDeps } from '../room.ts'
import { Checkouts } from './checkout.ts'
import { endOfAccount } from './end-of-account.ts'
import { EventInbox } from './event-inbox.ts'
import type { Payer } from './provider.ts'
import { type RefreshDeps, reconciliation, refresh, SETTLE_MS } from './refresh.ts'
import { type BillingDeps, billingRoutes } from './routes.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { type SandboxRoutesDeps, sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { loadSignatures } from './signed-event.ts'
import type { StripeBounds } from './stripe/stripe-client.ts'
import { stripeProvider } from './stripe/stripe-provider.ts'
import { takingOver } from './take-over.ts'
import { WEBHOOK_PATH, webhookRoutes } from './webhook-routes.ts'

type BillingRoomDeps = RoomDeps &
  Omit<BillingDeps, 'payments' | 'payer'> &
  Omit<RefreshDeps, 'provider'> &
  Pick<SandboxRoutesDeps, 'userOf'> & {
    stripe: Partial<StripeBounds> | undefined
    contactOf: (db: Db, workspaceId: WorkspaceId) => Promise<Omit<Payer, 'workspaceId'>>
    /** Sends a request to this very server. */
    inject: (request: InjectOptions) => Promise<{ statusCode: number }>
  }

/** Plans and payments: the routes, the provider's webhook and the jobs. */
export function billingRoom(deps: BillingRoomDeps) {
  const { db, clock, log, config, publicUrl, requireUser, userOf, stripe, pages } = deps
  const payer = async (workspaceId: WorkspaceId) => ({
    workspaceId,
    ...(await deps.contactOf(db, workspaceId)),
  })
  const deliver = deliverBy(deps.inject, async () => inbox?.idle())
  const sandbox =
    config.billing === 'sandbox' ? createSandbox({ db, clock, log, publicUrl, deliver }) : undefined
  const provider =
    config.billing === 'stripe' && config.stripe
      ? stripeProvider({ settings: config.stripe, clock, log, bounds: stripe })
      : sandbox?.provider
  const embedded = config.checkout === 'embedded'
  const payments = provider && {
    provider,
    checkouts: new Checkouts({ db, clock, publicUrl, provider, embedded }),
    refresh: (actor: Actor) => refresh({ ...deps, provider }, actor),
  }
  const inbox =
    provider &&
    new EventInbox({
      db,
      clock,
      log,
      provider: provider.name,
      refresh: (id) => refresh({ ...deps, provider }, serverFor(id), SETTLE_MS),
    })
  const reconciling = provider ? reconciliation({ ...deps, provider }) : []
  const { takeOverPlan, endFormer, job } = takingOver({ ...deps, provider })
  const jobs: Job[] = [...reconciling, ...(sandbox?.jobs ?? []), job]
  return {
    jobs,
    taxBehaviors: () => provider?.tax?.behaviors(),
    /** Resolves when no event of the provider is being applied. */
    idle: async () => inbox?.idle(),
    stop: async () => inbox?.stop(),
    takeOverPlan,
    endFormer,
    ...endOfAccount({ db, log, payments }),
    /** Its requests come from the provider's servers: they carry a signature, and no origin. */
    publicRoutes: async (scope: FastifyInstance) => {
      applyCommonHeaders(scope, config)
      // An event that had to load the SDK first would be answered too late.
      if (config.billing === 'stripe') scope.addHook('onListen', loadSignatures)
      if (provider && inbox) await webhookRoutes(scope, { provider, inbox, clock })
    },
    routes: async (site: FastifyInstance) => {
      await site.register(billingRoutes, { ...deps, payer, payments })
      if (!sandbox) return
      await site.register(sandboxRoutes, {
        sandbox: sandbox.deps,
        requireUser,
        userOf,
        payer,
        page: () => pages.html.sandbox,
      })
    },
  }
}

/** The sandbox's events come to our own webhook, the way Stripe's do. Their effect is awaited. */
function deliverBy(inject: BillingRoomDeps['inject'], idle: () => Promise<void>) {
  return async (payload: string, signature: string) => {
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
    const answer = await inject({ method: 'POST', url: WEBHOOK_PATH, headers, payload })
    await idle()
    return answer.statusCode === 200
  }
}
