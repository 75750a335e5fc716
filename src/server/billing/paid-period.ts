import { isEntitled } from './entitlements.ts'

/** The parts of a subscription that say until when it is paid. Instants are epoch milliseconds. */
export type PaidPeriod = {
  status: string
  periodStart: number
  periodEnd: number
  /** The day that is set for its end, if any; it can lie in a later period */
  cancelAt: number | null
  endedAt: number | null
}

/** Statuses of a subscription whose running period is not paid. */
const UNPAID = new Set(['past_due', 'unpaid'])

/**
 * Until when a subscription is paid, and after its end when it ended. A failed renewal begins a period
 * too, which is not paid. Null for one that was never paid, or whose status is not known.
 */
export function paidUntil(subscription: PaidPeriod): number | null {
  const { status, periodStart, periodEnd, cancelAt, endedAt } = subscription
  const end = Math.min(periodEnd, cancelAt ?? periodEnd)
  // Stripe ends a plan some seconds after its period.
  if (status === 'canceled') return endedAt === null ? null : Math.min(endedAt, end)
  if (UNPAID.has(status)) return periodStart
  return isEntitled({ status }) ? end : null
}

/** Whether a subscription ends before it would renew. */
export function endsInPeriod({ periodEnd, cancelAt }: PaidPeriod): boolean {
  return cancelAt !== null && cancelAt <= periodEnd
}
