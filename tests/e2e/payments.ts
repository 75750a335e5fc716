import type { Page } from '@playwright/test'
import type { Invoice, Payment } from '../../src/contract/billing/billing.ts'
import type { PaidTier } from '../../src/contract/billing/plans.ts'
import type { Account } from './account.ts'

/** The address of an open payment on our page. */
export const PAYMENT_STEP = '/subscription?step=pay&session=open'

/** Opens a payment on our page. */
export async function openPayment(page: Page, change: Partial<Payment> = {}): Promise<void> {
  const payment: Payment = {
    id: 'open',
    provider: 'sandbox',
    tier: 'professional',
    billing: 'annual',
    amount: 8388,
    clientSecret: null,
    ...change,
  }
  await page.route('/api/checkout/open/payment', (route) => route.fulfill({ json: payment }))
}

type Found = { tier: PaidTier; status?: string }

/** Gives the account a plan when the provider is asked for it. Counts how often that is. */
export async function providerHas(page: Page, account: Account, { tier, ...paid }: Found) {
  const asked = { times: 0 }
  await page.route('/api/user/subscription/refresh', async (route) => {
    asked.times++
    await account.pay(tier, paid)
    const response = await page.request.get('/api/user/subscription')
    await route.fulfill({ json: await response.json() })
  })
  return asked
}

/** A number of invoices, newest first, the newest still due. */
export function invoices(count: number): Invoice[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `in_${at}`,
    number: `TES-${1000 - at}`,
    amount: 8388,
    currency: 'usd',
    date: new Date(Date.UTC(2026, 9 - at, 3, 12)).toISOString(),
    status: at === 0 ? 'open' : 'paid',
    url: `https://example.com/invoices/${at}`,
  }))
}
