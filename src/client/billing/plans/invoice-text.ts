import type { Invoice } from '#contract/billing.ts'

/** What was charged, such as "$83.88". */
export function amountText({ amount, currency }: Pick<Invoice, 'amount' | 'currency'>): string {
  const asMoney = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
  })
  // Cents, yen or fils: the currency says how many of its smallest parts make one.
  const { maximumFractionDigits = 2 } = asMoney.resolvedOptions()
  return asMoney.format(amount / 10 ** maximumFractionDigits)
}

const texts: Record<string, string> = { uncollectible: 'Not paid', open: 'Due' }

/** The provider's status in words for people. */
export function statusText(status: string): string {
  return texts[status] ?? status.charAt(0).toUpperCase() + status.slice(1)
}
