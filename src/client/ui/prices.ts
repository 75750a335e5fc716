import type { PublicConfig } from '#contract/accounts/accounts.ts'
import {
  type BillingPeriod,
  chargeInCents,
  type Plan,
  plans,
  priceKey,
  pricePerMonth,
  type Tier,
} from '#contract/billing/plans.ts'

/* Prices as people read them: en-US everywhere, as on the landing page. */

/** An amount in the smallest unit of its currency, which need not be cents: "$83.88", "¥900". */
export function money(amount: number, currency = 'usd'): string {
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
  })
  const { maximumFractionDigits = 2 } = format.resolvedOptions()
  return format.format(amount / 10 ** maximumFractionDigits)
}

/** The price per month on a plan's card: "$3.99", or "$0" without cents. */
export function monthlyPrice(plan: Plan, billing: BillingPeriod): string {
  const dollars = pricePerMonth(plan, billing)
  return dollars === 0 ? '$0' : money(Math.round(dollars * 100))
}

/** "Free for 14 days, then $8.49 a month"; null for a plan without a trial. */
export function trialText(plan: Plan, billing: BillingPeriod): string | null {
  if (plan.trialDays === 0) return null
  return `Free for ${plan.trialDays} days, then ${priceText(chargeInCents(plan, billing), billing)}`
}

/** A year's charge under annual billing; null for monthly billing and for the free plan. */
export function yearlyCharge(plan: Plan, billing: BillingPeriod): string | null {
  const cents = chargeInCents(plan, billing)
  return billing === 'annual' && cents > 0 ? `billed ${money(cents)} yearly` : null
}

const asPercent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })

/** The saving by annual billing of this plan: "saves 17.7%"; null if there is none. */
export function yearlySaving(plan: Plan, billing: BillingPeriod): string | null {
  const [annual, monthly] = [chargeInCents(plan, 'annual'), 12 * chargeInCents(plan, 'monthly')]
  if (billing !== 'annual' || annual >= monthly) return null
  return `saves ${asPercent.format(1 - annual / monthly)}`
}

type Paid = { tier: Tier; billing: BillingPeriod | null }

/** "Professional, billed annually" */
export function planText({ tier, billing }: Paid): string {
  return `${plans[tier].name}, billed ${billing === 'annual' ? 'annually' : 'monthly'}`
}

/** "$83.88 a year" */
export function priceText(cents: number, billing: BillingPeriod): string {
  return `${money(cents)} a ${billing === 'annual' ? 'year' : 'month'}`
}

const TAX_NOTES = { exclusive: 'plus tax', inclusive: 'incl. tax' }

/** "plus tax" or "incl. tax"; null if no tax is computed. */
export function taxNote(
  behaviors: PublicConfig['taxBehaviors'],
  { tier, billing }: { tier: Tier; billing: BillingPeriod },
): string | null {
  const behavior = behaviors?.[priceKey(tier, billing)]
  return behavior ? TAX_NOTES[behavior] : null
}
