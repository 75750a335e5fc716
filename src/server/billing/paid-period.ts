import { isEntitled } from './entitlements.ts'

/** The parts of a subscription that say until when it is paid. Instants are epoch milliseconds. */
export type PaidPeriod = {
  status: string
  periodStart: number
  periodEnd: number
  /** Whether the payment failed that the running or last period began with */
  isUnpaid: boolean
  /** The day that is set for its end, if any; it can lie in a later period */
  cancelAt: number | null
  endedAt: number | null
}

/** Statuses of a subscription whose last payment failed (Stripe's words). */
export const UNPAID = ['past_due', 'unpaid']

/** Whether the last period of a subscription in this status can be one that was not paid. */
export const mayBeUnpaid = (status: string) => UNPAID.includes(status) || status === 'canceled'

/**
 * Until when a subscription is paid, and after its end when it ended. A failed renewal begins a period
 * too, which is not paid: its first day stays, also after the end. Null for a subscription that was never
 * paid, or whose status is not known.
 */
export function paidUntil(subscription: PaidPeriod): number | null {
  const { status, periodStart, periodEnd, isUnpaid, cancelAt, endedAt } = subscription
  const end = isUnpaid ? periodStart : Math.min(periodEnd, cancelAt ?? periodEnd)
  // Stripe ends a plan some seconds after its period.
  if (status === 'canceled') return endedAt === null ? null : Math.min(endedAt, end)
  return isUnpaid || isEntitled({ status }) ? end : null
}

/** Whether a subscription ends before it would renew. */
export function endsInPeriod({ periodEnd, cancelAt }: PaidPeriod): boolean {
  return cancelAt !== null && cancelAt <= periodEnd
}
