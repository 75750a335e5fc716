import type { Discount } from '#contract/billing.ts'
import { formatDay } from '../../formats.ts'
import { money } from '../../ui/prices.ts'

/** "20% off until March 3, 2027", "$5.00 off the next bill", "10% off" */
export function discountText({ percentOff, amountOff, currency, lasts, until }: Discount): string {
  const off = percentOff === null ? money(amountOff ?? 0, currency ?? 'usd') : `${percentOff}%`
  if (until) return `${off} off until ${formatDay(until)}`
  return lasts === 'once' ? `${off} off the next bill` : `${off} off`
}
