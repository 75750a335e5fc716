import type Stripe from 'stripe'
import { INVOICES_MAX, type Invoice } from '#contract/billing/billing.ts'
import { SECOND_MS } from '#contract/time.ts'
import { hasBegun } from '../entitlements.ts'
import type { PaymentRecord } from '../provider.ts'
import type { PaidInvoice } from '../types.ts'

/** More than are shown: some of them may be drafts. */
const INVOICES_READ = 100
/** The newest of each kind that are read; Stripe gives the ten newest refunds with each charge. */
const CHARGES_READ = 100
const DISPUTES_READ = 10
const PAID_READ = 20

export async function invoicesOf(stripe: Stripe, customer: string): Promise<Invoice[]> {
  const { data } = await stripe.invoices.list({ customer, limit: INVOICES_READ })
  return data.flatMap(presentInvoice).slice(0, INVOICES_MAX)
}

/** Leaves out drafts, which can still change, and void invoices, which are not paid. */
function presentInvoice(invoice: Stripe.Invoice): Invoice[] {
  const { id, number, status, created, currency } = invoice
  if (status === null || status === 'draft' || status === 'void') return []
  // The total leaves out credit that the customer had, or was given by a lower plan.
  const amount = status === 'paid' ? invoice.amount_paid : invoice.amount_remaining
  const date = new Date(created * SECOND_MS).toISOString()
  return [{ id, number, date, amount, currency, status, url: invoice.hosted_invoice_url ?? null }]
}

/** The customer's payments with their refunds and disputes. */
export async function recordsOf(stripe: Stripe, customer: string): Promise<PaymentRecord[]> {
  const expand = ['data.refunds']
  const list = await stripe.charges.list({ customer, limit: CHARGES_READ, expand })
  const charges = list.data.filter(({ status }) => status !== 'failed')
  const records = charges.flatMap((charge) => [
    recordOf('payment', charge),
    ...(charge.refunds?.data ?? []).map((refund) => recordOf('refund', refund)),
  ])
  for (const { id } of charges.filter(({ disputed }) => disputed)) {
    const disputes = await stripe.disputes.list({ charge: id, limit: DISPUTES_READ })
    records.push(...disputes.data.map((dispute) => recordOf('dispute', dispute)))
  }
  return records
}

export async function paidInvoicesOf(stripe: Stripe, customer: string): Promise<PaidInvoice[]> {
  const invoices = await stripe.invoices.list({ customer, status: 'paid', limit: PAID_READ })
  return invoices.data.flatMap(paidInvoice)
}

type Movement = {
  id: string
  amount: number
  currency: string
  status: string | null
  reason?: string | null
  created: number
}

function recordOf(kind: PaymentRecord['kind'], movement: Movement): PaymentRecord {
  const { id, amount, currency, status, reason = null, created } = movement
  const at = created * SECOND_MS
  return { id, kind, amount, currency, status: status ?? 'unknown', reason, comment: null, at }
}

function paidInvoice(invoice: Stripe.Invoice): PaidInvoice[] {
  const paidAt = (invoice.status_transitions.paid_at ?? invoice.created) * SECOND_MS
  return presentInvoice(invoice).map((shown) => ({ ...shown, paidAt }))
}

/** When and why a subscription was canceled; undefined if it was not or never began, or goes on after all. */
export function cancellationOf(subscription: Stripe.Subscription): PaymentRecord | undefined {
  const { id, status, canceled_at, cancellation_details: details } = subscription
  if (!canceled_at || !hasBegun({ status })) return undefined
  const reason = details?.feedback ?? details?.reason ?? null
  const comment = details?.comment ?? null
  const at = canceled_at * SECOND_MS
  return { id, kind: 'cancellation', amount: null, currency: null, status, reason, comment, at }
}
