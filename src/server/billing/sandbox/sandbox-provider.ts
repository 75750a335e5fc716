import { randomUUID } from 'node:crypto'
import { AppError } from '../../http/errors.ts'
import type { CheckoutRequest, PaymentProvider, ProvidedSubscription } from '../provider.ts'
import { CustomerGone } from '../provider.ts'
import { readSignedEvent } from '../signed-event.ts'
import type { SandboxDeps } from './customer-turn.ts'
import { setEnding } from './portal.ts'
import { afterCredit, priceOf } from './proration.ts'
import { ensureCustomer, findSandboxCustomer } from './sandbox-customers.ts'
import { listInvoices } from './sandbox-invoices.ts'
import {
  closeSessions,
  findSession,
  isOpen,
  openSession,
  type SandboxSession,
  SESSION_MS,
} from './sandbox-sessions.ts'
import {
  customerOfSubscription,
  listSubscriptions,
  type SandboxSubscription,
} from './sandbox-subscriptions.ts'
import { choiceOf } from './session-choice.ts'

/** Where a session's page is. */
export const sessionUrl = (publicUrl: string, id: string) => `${publicUrl}/api/checkout/${id}`

/** A payment provider of our own, for trying things out: it behaves like Stripe, and takes no money. */
export function sandboxProvider(deps: SandboxDeps): PaymentProvider {
  const { db, clock, publicUrl } = deps

  type NewSession = Pick<SandboxSession, 'customer_id' | 'kind' | 'done_url' | 'back_url'>
  async function open(session: NewSession & Partial<SandboxSession>): Promise<string> {
    const id = session.id ?? randomUUID()
    const expires_at = clock().getTime() + SESSION_MS
    const usual = { tier: null, billing: null, subscription_id: null, state: 'open' as const }
    await openSession(db, { ...usual, ...session, id, expires_at })
    return sessionUrl(publicUrl, id)
  }

  return {
    name: 'sandbox',
    createCustomer: ({ userId }) => ensureCustomer(db, userId),
    subscriptionsOf: async (customerId) => (await listSubscriptions(db, customerId)).map(provided),

    async openCheckout({ id, customerId, tier, billing, embedded, returnTo }: CheckoutRequest) {
      if (!(await findSandboxCustomer(db, customerId))) throw new CustomerGone()
      const url = await open({
        ...{ id, customer_id: customerId, kind: 'pay', tier, billing },
        ...{ done_url: returnTo.success, back_url: returnTo.cancel },
      })
      return { sessionId: id, url: embedded ? null : url }
    },

    async checkoutState(sessionId) {
      const session = await findSession(db, sessionId)
      if (session?.state === 'complete') return 'complete'
      return session && isOpen(session, clock()) ? 'open' : 'closed'
    },

    closeCheckouts: (customerId, exceptId) => closeSessions(db, customerId, 'pay', exceptId),

    async paymentOf(sessionId) {
      const session = await findSession(db, sessionId)
      if (!session || !isOpen(session, clock())) throw new AppError('checkout_not_found')
      const credit = (await findSandboxCustomer(db, session.customer_id))?.credit ?? 0
      return { amount: afterCredit(priceOf(choiceOf(session)), credit).due, clientSecret: null }
    },

    async openPlanChange({ customerId, subscriptionId, tier, billing, returnTo }) {
      await closeSessions(db, customerId, 'change')
      return open({
        ...{ customer_id: customerId, kind: 'change', subscription_id: subscriptionId },
        ...{ tier, billing, done_url: returnTo },
        back_url: `${publicUrl}/subscription?tier=${tier}&billing=${billing}`,
      })
    },

    openPortal: (customerId, returnTo) =>
      open({ customer_id: customerId, kind: 'portal', done_url: returnTo, back_url: returnTo }),

    async setEnding(subscriptionId, ending) {
      const customerId = await customerOfSubscription(db, subscriptionId)
      if (!customerId) throw new AppError('no_subscription')
      await setEnding(deps, customerId, ending)
    },

    invoicesOf: (customerId) => listInvoices(db, customerId),

    async readEvent(body, signature) {
      const event = await readSignedEvent(body, signature, deps.events.secret, clock())
      return event.livemode ? null : { id: event.id, customerId: event.customerId }
    },
  }
}

function provided(row: SandboxSubscription): ProvidedSubscription {
  return {
    ...{ id: row.id, tier: row.tier, billing: row.billing, status: row.status },
    currentPeriodEnd: row.period_end,
    endsAtPeriodEnd: row.ends_at_period_end === 1,
    createdAt: row.created_at,
  }
}
