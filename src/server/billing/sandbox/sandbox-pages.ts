import type { ChangePage, PayPage, PortalPage, SandboxPage } from '#contract/sandbox.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { changeable, type SandboxDeps } from './sandbox-actions.ts'
import { changeCost, nextStepAt, periodFrom, priceOf } from './sandbox-rules.ts'
import { choiceOf, type SandboxSession } from './sandbox-sessions.ts'
import {
  findSandboxCustomer,
  listInvoices,
  listSubscriptions,
  runningSubscription,
  type SandboxCustomer,
  type SandboxSubscription,
} from './sandbox-store.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** What a session's page shows. @throws AppError checkout_not_found if there is nothing left to change */
export async function pageContents(
  { db, clock }: SandboxDeps,
  session: SandboxSession,
): Promise<SandboxPage> {
  const customer = await findSandboxCustomer(db, session.customer_id)
  if (!customer) throw new AppError('checkout_not_found')
  const now = clock().getTime() + customer.clock_offset
  if (session.kind === 'pay') return payPage(session, now)
  return session.kind === 'change'
    ? changePage(session, await runningSubscription(db, customer.id), now)
    : portalPage(db, session, customer, now)
}

function payPage(session: SandboxSession, now: number): PayPage {
  const choice = choiceOf(session)
  return {
    ...{ id: session.id, backTo: session.back_url, kind: 'pay', ...choice },
    ...{ price: priceOf(choice), renewsAt: iso(periodFrom(now, choice).period_end) },
  }
}

function changePage(
  session: SandboxSession,
  running: SandboxSubscription | undefined,
  now: number,
): ChangePage {
  const current = changeable(session, running)
  const to = choiceOf(session)
  return {
    ...{ id: session.id, backTo: session.back_url, kind: 'change', to, price: priceOf(to) },
    from: { tier: current.tier, billing: current.billing },
    ...changeCost(current, to, now),
    renewsAt: iso(periodFrom(now, to).period_end),
  }
}

async function portalPage(
  db: Db,
  session: SandboxSession,
  customer: SandboxCustomer,
  now: number,
): Promise<PortalPage> {
  const [newest] = await listSubscriptions(db, customer.id)
  return {
    ...{ id: session.id, backTo: session.back_url, kind: 'portal', card: customer.card },
    invoices: await listInvoices(db, customer.id),
    ...{ now: iso(now), isAhead: customer.clock_offset > 0 },
    subscription: newest ? portalSubscription(newest) : null,
  }
}

function portalSubscription(row: SandboxSubscription): PortalPage['subscription'] {
  const { tier, billing, status } = row
  const attempt = status === 'past_due' ? nextStepAt(row) : null
  return {
    ...{ tier, billing, status, price: priceOf(row), periodEnd: iso(row.period_end) },
    endsAtPeriodEnd: row.ends_at_period_end === 1,
    nextAttempt: attempt === null ? null : iso(attempt),
  }
}
