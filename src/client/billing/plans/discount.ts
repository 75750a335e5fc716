import type { Discount } from '#contract/billing.ts'
import { formatDay } from '../../formats.ts'
import { money } from '../../ui/prices.ts'

/** "20% off until Mar 3, 2027", "$5.00 off the next bill", "10% off" */
export function discountText(discount: Discount, bill = 'the next bill'): string {
  const { percentOff, amountOff, currency, lasts, until } = discount
  const off = percentOff === null ? money(amountOff ?? 0, currency ?? 'usd') : `${percentOff}%`
  if (until) return `${off} off until ${formatDay(until)}`
  return lasts === 'once' ? `${off} off ${bill}` : `${off} off`
}
