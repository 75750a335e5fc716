import type { OrderPage, PortalPage, TestInvoice } from '#contract/billing/sandbox.ts'
import { iso } from '../../dates.ts'
import type { Choice } from '../provider.ts'
import { type Books, changeable, changeCost, periodFrom, priceOf } from './sandbox-rules.ts'
import type { SandboxInvoice, SandboxSession } from './sandbox-store.ts'

/**
 * The contents of the page of a session, at an instant of the test clock.
 * @throws AppError checkout_not_found if there is nothing left to change
 */
export function orderPage(session: SandboxSession, books: Books, now: number): OrderPage {
  const { kind, tier, billing, back_url: backTo } = session
  const to = { tier, billing }
  const price = priceOf(to)
  const current = kind === 'change' ? changeable(books, session) : null
  const first = { due: price, waitsUntil: null }
  const { due, waitsUntil } = current ? changeCost(current, to, now) : first
  return {
    kind: 'order',
    backTo,
    from: current && { tier: current.tier, billing: current.billing },
    to,
    price,
    due,
    isLater: waitsUntil !== null,
    endsAtPeriodEnd: current?.ends_at_period_end === 1,
    renewsAt: iso(waitsUntil ?? periodFrom(now, to).period_end),
  }
}

/** The contents of a customer's own page. */
export function portalPage(
  { card, plans: [newest] }: Books,
  own: Pick<PortalPage, 'backTo' | 'invoices' | 'now' | 'payer'>,
): PortalPage {
  const subscription = newest && {
    tier: newest.tier,
    billing: newest.billing,
    status: newest.status,
    next: nextOf(newest) ?? null,
    periodEnd: iso(newest.period_end),
    endsAtPeriodEnd: newest.ends_at_period_end === 1,
  }
  return { ...own, kind: 'portal', card, subscription: subscription ?? null }
}

/** The plan that waits for the next period, if any. */
export function nextOf({ next_tier: tier, next_billing: billing }: Books['plans'][number]) {
  return tier && billing ? { tier, billing } : undefined
}

/** An invoice, which the API answers without its plan. */
export function presentInvoice(row: SandboxInvoice, publicUrl: string): TestInvoice {
  const { id, serial, at, amount, status, tier, billing } = row
  return {
    id,
    amount,
    status,
    currency: 'usd',
    url: `${publicUrl}/api/checkout/${row.customer_id}?invoice=${id}`,
    number: `TEST-${String(serial).padStart(4, '0')}`,
    date: iso(at),
    plan: tier && billing ? ({ tier, billing } as Choice) : null,
  }
}
