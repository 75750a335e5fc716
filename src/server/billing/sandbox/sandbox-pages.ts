import type { Invoice } from '#contract/billing.ts'
import { billingPeriods, paidTiers } from '#contract/plans.ts'
import type { InvoicePage, PortalPage, SandboxPage } from '#contract/sandbox.ts'
import { iso } from '../../dates.ts'
import { AppError } from '../../http/errors.ts'
import { changeable, type SandboxDeps } from './sandbox-actions.ts'
import { changeCost, periodFrom, priceOf } from './sandbox-rules.ts'
import { choiceOf, type SandboxSession } from './sandbox-sessions.ts'
import {
  findSandboxCustomer,
  listInvoices,
  listSubscriptions,
  runningSubscription,
  type SandboxInvoice,
  type SandboxSubscription,
} from './sandbox-store.ts'

/** The contents of a session's page. @throws AppError checkout_not_found if there is nothing left to change */
export async function pageContents(
  { db, clock, publicUrl }: SandboxDeps,
  session: SandboxSession,
): Promise<SandboxPage> {
  const customer = await findSandboxCustomer(db, session.customer_id)
  if (!customer) throw new AppError('checkout_not_found')
  const now = clock().getTime() + customer.clock_offset
  const common = { id: session.id, backTo: session.back_url }
  if (session.kind === 'portal') {
    const [newest] = await listSubscriptions(db, customer.id)
    const invoices = await listInvoices(db, customer.id)
    return {
      ...common,
      kind: 'portal',
      card: customer.card,
      invoices: invoices.map((row) => presentInvoice(row, publicUrl)),
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
  const { waitsUntil, ...cost } = changeCost(current, to, now)
  return {
    ...common,
    kind: 'change',
    from: { tier: current.tier, billing: current.billing },
    to,
    price,
    ...cost,
    isLater: waitsUntil !== null,
    endsAtPeriodEnd: current.ends_at_period_end === 1,
    renewsAt: waitsUntil === null ? renewsAt : iso(waitsUntil),
  }
}

/** An invoice as the API answers it. */
export function presentInvoice(row: SandboxInvoice, publicUrl: string): Invoice {
  const { id, serial, at, amount, status } = row
  return {
    id,
    amount,
    status,
    currency: 'usd',
    url: `${publicUrl}/api/checkout/${id}`,
    number: `TEST-${String(serial).padStart(4, '0')}`,
    date: iso(at),
  }
}

/** An invoice's own page, for the account that paid it. */
export function invoiceContents(
  row: SandboxInvoice,
  { name, email, publicUrl }: Pick<InvoicePage, 'name' | 'email'> & { publicUrl: string },
): InvoicePage {
  const invoice = presentInvoice(row, publicUrl)
  const tier = paidTiers.find((one) => one === row.tier)
  const billing = billingPeriods.find((one) => one === row.billing)
  const plan = tier && billing ? { tier, billing, price: priceOf({ tier, billing }) } : null
  return { ...invoice, kind: 'invoice', backTo: `${publicUrl}/profile`, name, email, plan }
}

function portalSubscription(row: SandboxSubscription): PortalPage['subscription'] {
  const { tier, billing, next_tier, next_billing } = row
  const next = next_tier && next_billing ? { tier: next_tier, billing: next_billing } : null
  return {
    tier,
    billing,
    status: row.status,
    next,
    price: priceOf(next ?? row),
    periodEnd: iso(row.period_end),
    endsAtPeriodEnd: row.ends_at_period_end === 1,
  }
}
