import { type BillingPeriod, type PaidTier, plans } from '#contract/plans.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** Cents as they stand on a bill: $83.88, or −$47.88 with a minus as wide as a figure. */
export function amountText(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−')
}

type Choice = { tier: PaidTier; billing: BillingPeriod }

/** "Professional, billed annually" */
export function planText({ tier, billing }: Choice): string {
  return `${plans[tier].name}, billed ${billing === 'annual' ? 'annually' : 'monthly'}`
}

/** "$83.88 a year" */
export function priceText(cents: number, billing: BillingPeriod): string {
  return `${amountText(cents)} a ${billing === 'annual' ? 'year' : 'month'}`
}
