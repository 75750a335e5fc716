import { type BillingPeriod, chargeInCents, type Plan, pricePerMonth } from '#contract/plans.ts'

/* Dates, counts and money as people read them. */

const asDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** An instant as a day in the visitor's zone, such as "Dec 4, 2026": nobody takes the day for the month. */
export function formatDay(instant: string | Date): string {
  return asDay.format(new Date(instant))
}

/** "1,204". */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** "1 scan", "1,204 scans". */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Dollars with cents, "$3.99"; zero without: "$0". */
export function dollars(amount: number): string {
  return amount === 0 ? '$0' : `$${amount.toFixed(2)}`
}

export function monthlyPrice(plan: Plan, billing: BillingPeriod): string {
  return dollars(pricePerMonth(plan, billing))
}

/** What a year costs under annual billing; null for monthly billing and for the free plan. */
export function yearlyCharge(plan: Plan, billing: BillingPeriod): string | null {
  const cents = chargeInCents(plan, billing)
  return billing === 'annual' && cents > 0 ? `billed ${dollars(cents / 100)} yearly` : null
}
