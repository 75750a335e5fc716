import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '#contract/time.ts'
import { type Actor, transactAs } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { Job } from '../../jobs.ts'
import { openedIn } from '../../memberships.ts'
import { paidUntil } from '../entitlements.ts'
import {
  type CheckoutRequest,
  CustomerGone,
  type PaymentProvider,
  type ProvidedSubscription,
} from '../provider.ts'
import { addEvent, type EventDeps, type SandboxEvents, sandboxEvents } from './sandbox-events.ts'
import { nextOf, presentInvoice } from './sandbox-pages.ts'
import { type Books, caughtUp, priceOf, type TestPlan, withEnd } from './sandbox-rules.ts'
import {
  closeSessions,
  completeSession,
  customerOfSubscription,
  dueCustomers,
  ensureCustomer,
  findBooks,
  findSession,
  listInvoices,
  listPlans,
  lockBooks,
  openSession,
  removeCustomerOf,
  type SandboxSession,
  SESSION_MS,
  saveBooks,
  sweepSandboxSessions,
} from './sandbox-store.ts'

export type SandboxDeps = {
  db: Db
  clock: Clock
  publicUrl: string
  events: SandboxEvents
  /** The owner on a page of the sandbox. The billing room and its jobs act as at another server. */
  actor?: Actor | undefined
}

/** The provider that the billing room sees, and what the sandbox's own pages need. */
export function createSandbox(own: EventDeps & { publicUrl: string }) {
  const deps: SandboxDeps = { ...own, events: sandboxEvents(own) }
  const jobs: Job[] = [{ name: 'sandbox', everyMs: HOUR_MS, run: () => settle(deps) }]
  return { deps, provider: sandboxProvider(deps), jobs }
}

/** Renews and ends subscriptions as time goes by, and delivers the events that are still pending. */
async function settle(deps: SandboxDeps): Promise<void> {
  const due = await dueCustomers(deps.db, deps.clock())
  for (const id of due) await changeBooks(deps, id, (books) => books)
  await deps.events.deliver()
  await sweepSandboxSessions(deps.db, deps.clock())
}

/**
 * Changes one customer at a time, after the renewals that were due before. The event of the change is
 * recorded with it, and delivered after the commit. A session that it completes counts once.
 * @throws AppError checkout_not_found, and those of the change
 */
export async function changeBooks(
  { db, clock, events, actor }: SandboxDeps,
  customerId: string,
  change: (books: Books, now: number) => Books,
  completes?: SandboxSession,
): Promise<void> {
  await transactAs(db, actor, async (tx) => {
    const books = await lockBooks(tx, customerId)
    if (!books) throw new AppError('checkout_not_found')
    const at = clock()
    if (completes) await completeSession(tx, completes.id)
    const now = at.getTime()
    await saveBooks(tx, books, change(caughtUp(books, now), now))
    await addEvent(tx, customerId, at)
  })
  await events.deliver(customerId)
}

/** A payment provider of our own, for trying things out: it behaves like Stripe, and takes no money. */
function sandboxProvider(deps: SandboxDeps): PaymentProvider {
  const { db, clock, publicUrl } = deps

  /** Its links lead to the workspace that the address behind it names. */
  function pageUrl(id: string, returnTo: string): string {
    const place = new URL(returnTo).searchParams.get('workspace') as WorkspaceId | null
    return openedIn(`${publicUrl}/api/checkout/${id}`, place ?? undefined)
  }

  /** Returns the address of the new session's page. */
  async function open(session: Omit<SandboxSession, 'state' | 'expires_at'>): Promise<string> {
    const expires_at = clock().getTime() + SESSION_MS
    await openSession(db, { ...session, state: 'open', expires_at })
    return pageUrl(session.id, session.done_url)
  }

  async function setEnd(subscriptionId: string, cancel?: boolean): Promise<void> {
    const customerId = await customerOfSubscription(db, subscriptionId)
    if (!customerId) throw new AppError('no_subscription')
    await changeBooks(deps, customerId, (books) => withEnd(books, cancel))
  }

  return {
    name: 'sandbox',
    createCustomer: ({ workspaceId }) => ensureCustomer(db, workspaceId),
    subscriptionsOf: async (customerId) => (await listPlans(db, customerId)).map(provided),

    async openCheckout({ id, customerId, tier, billing, embedded, returnTo }: CheckoutRequest) {
      if (!(await findBooks(db, { id: customerId }))) throw new CustomerGone()
      const url = await open({
        id,
        customer_id: customerId,
        kind: 'pay',
        subscription_id: null,
        tier,
        billing,
        done_url: returnTo.success,
        back_url: returnTo.cancel,
      })
      return { sessionId: id, url: embedded ? null : url, isPaid: false }
    },

    checkoutState: async (sessionId) =>
      (await findSession(db, sessionId, clock()))?.state ?? 'closed',

    closeCheckouts: (customerId, exceptId) => closeSessions(db, customerId, exceptId),

    async paymentOf(sessionId) {
      const session = await findSession(db, sessionId, clock())
      if (session?.state === 'complete') throw new AppError('payment_made')
      if (session?.state !== 'open') throw new AppError('checkout_not_found')
      return { amount: priceOf(session), clientSecret: null }
    },

    async openPlanChange({ customerId, subscriptionId, tier, billing, returnTo }) {
      await closeSessions(db, customerId)
      return open({
        id: randomUUID(),
        customer_id: customerId,
        kind: 'change',
        subscription_id: subscriptionId,
        tier,
        billing,
        done_url: returnTo.success,
        back_url: returnTo.cancel,
      })
    },

    // Its own page says what is due.
    previewChange: async () => null,

    openPortal: async (customerId, returnTo) => pageUrl(customerId, returnTo),

    setCancelAtPeriodEnd: setEnd,
    keepPlan: (subscriptionId) => setEnd(subscriptionId),

    async forgetCustomer(customerId) {
      const customer = await findBooks(db, { id: customerId })
      if (customer) await transact(db, (tx) => removeCustomerOf(tx, customer.workspace_id))
    },

    invoicesOf: async (customerId) =>
      (await listInvoices(db, customerId)).map((row) => presentInvoice(row, publicUrl)),

    webhookSecrets: [deps.events.secret],
  }
}

function provided(row: TestPlan): ProvidedSubscription {
  const { status, period_start: periodStart, period_end: periodEnd } = row
  const next = nextOf(row)
  const isUnpaid = status === 'past_due' || (status === 'canceled' && row.ends_at_period_end === 0)
  // A plan of the sandbox ends with its period, never within it.
  const endedAt = status === 'canceled' ? periodEnd : null
  return {
    id: row.id,
    tier: row.tier,
    billing: row.billing,
    status,
    isUnpaid,
    paidUntil: paidUntil({ status, periodStart, periodEnd, isUnpaid, cancelAt: null, endedAt }),
    endedAt,
    endsAtPeriodEnd: row.ends_at_period_end === 1,
    next: next && { ...next, at: periodEnd },
    createdAt: row.created_at,
  }
}
