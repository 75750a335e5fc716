import { DateTime } from 'luxon'
import type { BillingPeriod } from '#contract/plans.ts'
import type { TestClockStep } from '#contract/sandbox.ts'

/** Months that one charge pays for. */
const MONTHS: Record<BillingPeriod, number> = { monthly: 1, annual: 12 }

const utc = (instant: number) => DateTime.fromMillis(instant, { zone: 'utc' })

/**
 * The first end of a period after an instant. Counted from the anchor, not from the last end: what
 * begins on January 31 is paid to February 28, and then to March 31.
 */
export function periodEndAfter(anchor: number, billing: BillingPeriod, after: number): number {
  const months = MONTHS[billing]
  const gone = utc(after).diff(utc(anchor), 'months').months
  for (let periods = Math.max(1, Math.floor(gone / months)); ; periods++) {
    const end = utc(anchor)
      .plus({ months: months * periods })
      .toMillis()
    if (end > after) return end
  }
}

/** Where the test clock stands after a step; `periodEnd` is that of the subscription. */
export function clockAfter(now: number, step: TestClockStep, periodEnd: number): number {
  if (step === 'period') return Math.max(now, periodEnd)
  return utc(now)
    .plus(step === 'month' ? { months: 1 } : { years: 1 })
    .toMillis()
}
