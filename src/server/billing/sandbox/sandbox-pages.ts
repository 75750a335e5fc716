import type { PortalPage, SandboxPage } from '#contract/sandbox.ts'
import { AppError } from '../../http/errors.ts'
import { changeable, type SandboxDeps } from './sandbox-actions.ts'
import { changeCost, periodFrom, priceOf } from './sandbox-rules.ts'
import { choiceOf, type SandboxSession } from './sandbox-sessions.ts'
import {
  findSandboxCustomer,
  listInvoices,
  listSubscriptions,
  runningSubscription,
  type SandboxSubscription,
} from './sandbox-store.ts'

const iso = (instant: number) => new Date(instant).toISOString()

/** The contents of a session's page. @throws AppError checkout_not_found if there is nothing left to change */
export async function pageContents(
  { db, clock }: SandboxDeps,
  session: SandboxSession,
): Promise<SandboxPage> {
  const customer = await findSandboxCustomer(db, session.customer_id)
  if (!customer) throw new AppError('checkout_not_found')
  const now = clock().getTime() + customer.clock_offset
  const common = { id: session.id, backTo: session.back_url }
  if (session.kind === 'portal') {
    const [newest] = await listSubscriptions(db, customer.id)
    return {
      ...common,
      kind: 'portal',
      card: customer.card,
      invoices: await listInvoices(db, customer.id),
      now: iso(now),
      isAhead: customer.clock_offset > 0,
      subscription: newest ? portalSubscription(newest) : null,
    }
  }
  const to = choiceOf(session)
  const price = priceOf(to)
  const renewsAt = iso(periodFrom(now, to).period_end)
  if (session.kind === 'pay') return { ...common, kind: 'pay', ...to, price, renewsAt }
  const current = changeable(session, await runningSubscription(db, customer.id))
  return {
    ...common,
    kind: 'change',
    from: { tier: current.tier, billing: current.billing },
    to,
    price,
    ...changeCost(current, to, now),
    renewsAt,
  }
}

function portalSubscription(row: SandboxSubscription): PortalPage['subscription'] {
  return {
    tier: row.tier,
    billing: row.billing,
    status: row.status,
    price: priceOf(row),
    periodEnd: iso(row.period_end),
    endsAtPeriodEnd: row.ends_at_period_end === 1,
  }
}
