import { expect, type Page } from '@playwright/test'
import type { TestCard } from '../../src/contract/billing/sandbox.ts'

export const PAYS = '4242 4242 4242 4242'
export const ASKS = '4000 0025 0000 3155'
export const DECLINED = '4000 0000 0000 0002'

type Name = 'Starter' | 'Professional' | 'Unlimited'
type Billing = 'Annual' | 'Monthly'

export async function chooseCard(page: Page, number: string): Promise<void> {
  await page.getByRole('radio', { name: number }).check()
}

/** The address of the page where a plan is paid or changed, from the API. */
async function checkoutUrl(page: Page, name: Name, billing: Billing): Promise<string> {
  const data = { tier: name.toLowerCase(), billing: billing.toLowerCase() }
  const answer = await page.request.post('/api/create-checkout-session', { data })
  return ((await answer.json()) as { checkoutUrl: string }).checkoutUrl
}

/** Opens the page where a plan is paid or changed. */
export async function choosePlan(page: Page, name: Name, billing: Billing = 'Annual') {
  await page.goto(await checkoutUrl(page, name, billing))
}

/** Buys a plan through the API. */
export async function buyPlan(
  page: Page,
  name: Name,
  billing: Billing = 'Annual',
  card: TestCard = 'pays',
): Promise<void> {
  const answer = await page.request.post(`${await checkoutUrl(page, name, billing)}/page`, {
    data: { action: 'pay', card },
  })
  expect(answer.ok()).toBe(true)
}

/** Opens the page for cards, invoices and the plan. */
export async function openPortal(page: Page): Promise<void> {
  const answer = await page.request.post('/api/user/billing-portal')
  const { portalUrl } = (await answer.json()) as { portalUrl: string }
  await page.goto(portalUrl)
  await expect(page.getByRole('heading', { name: 'Manage billing' })).toBeVisible()
}
