import { type BillingPeriod, chargeInCents, type Plan, pricePerMonth } from '#contract/plans.ts'

/** Dollars with cents; a round nothing without: "$3.99", "$0". */
export function dollars(amount: number): string {
  return amount === 0 ? '$0' : `$${amount.toFixed(2)}`
}

export function monthlyPrice(plan: Plan, billing: BillingPeriod): string {
  return dollars(pricePerMonth(plan, billing))
}

/** What an annual plan's price per month comes to; null where there is nothing to add. */
export function yearlyCharge(plan: Plan, billing: BillingPeriod): string | null {
  const cents = chargeInCents(plan, billing)
  return billing === 'annual' && cents > 0 ? `billed ${dollars(cents / 100)} yearly` : null
}
