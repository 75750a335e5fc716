import { expect, type Page, type Request } from '@playwright/test'

export const PAYS = '4242 4242 4242 4242'
export const DECLINED = '4000 0000 0000 0002'
export const FAILS_LATER = '4000 0000 0000 0341'

const EVERY_NUMBER = /4242[\s+%20-]*4242|4000[\s+%20-]*0000[\s+%20-]*0000/

export async function fillCard(page: Page, number: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Test card number' }).fill(number)
  await page.getByRole('textbox', { name: 'Expiry (MM/YY)' }).fill('12/34')
  await page.getByRole('textbox', { name: 'CVC' }).fill('123')
}

/** Reads along every request of the page's browser; `expectNoCard` looks through all of them. */
export function readAlong(page: Page) {
  const texts: string[] = []
  page.context().on('request', (request: Request) => {
    const headers = JSON.stringify(request.headers())
    texts.push(`${request.url()} ${headers} ${request.postData() ?? ''}`)
  })
  return {
    expectNoCard() {
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.filter((text) => EVERY_NUMBER.test(text) || text.includes('12/34'))).toEqual([])
    },
  }
}

/** Chooses a plan on the subscription screen; arrives at the page where it is paid or changed. */
export async function choosePlan(
  page: Page,
  name: string,
  billing: 'Annual' | 'Monthly' = 'Annual',
): Promise<void> {
  await page.goto('/subscription')
  await page.getByText(billing, { exact: true }).click()
  await page.getByRole('button', { name: `Choose ${name}`, exact: true }).click()
  await page.waitForURL(/\/api\/checkout\//)
}

/** The same with a plan lower than the present one, which is asked about first. */
export async function chooseLowerPlan(page: Page, name: string): Promise<void> {
  await page.goto('/subscription')
  await page.getByRole('button', { name: `Choose ${name}`, exact: true }).click()
  const question = page.getByRole('dialog', { name: `Change to ${name}?` })
  await question.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(/\/api\/checkout\//)
}

/** Buys a plan and arrives at the dashboard. */
export async function buyPlan(
  page: Page,
  name: string,
  billing: 'Annual' | 'Monthly' = 'Annual',
  number = PAYS,
): Promise<void> {
  await choosePlan(page, name, billing)
  await fillCard(page, number)
  await page.getByRole('button', { name: /^Pay \$/ }).click()
  await page.waitForURL(/\/dashboard/)
}

/** Opens the page where cards, invoices and the plan are looked after. */
export async function openPortal(page: Page): Promise<void> {
  const answer = await page.request.post('/api/user/billing-portal')
  const { portalUrl } = (await answer.json()) as { portalUrl: string }
  await page.goto(portalUrl)
  await expect(page.getByRole('heading', { name: 'Manage billing' })).toBeVisible()
}
