import type { Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'
import { openPayment, PAYMENT_STEP } from './payments.ts'
import { openCode } from './screens.ts'
import { buyPlan, choosePlan, openPortal } from './test-card.ts'

// What React says of a part that could not be drawn.
test.use({ expected: /status of 422|TypeError|RangeError|error occurred in|Minified React error/ })

/** From now on the answers from there differ from what anybody foresaw. */
async function oddly(page: Page, url: string | RegExp, change: object) {
  await page.route(url, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, ...change } })
  })
}

const alert = (page: Page) => page.getByRole('alert')
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('a sign-in page that cannot be drawn says so', async ({ page }) => {
  await page.route('/api/auth/sign-in/email', (route) =>
    route.fulfill({ status: 422, json: { message: { text: 'No' } } }),
  )
  await page.goto('/api/login')
  await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(alert(page)).toContainText('This page could not be shown')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(heading(page, 'Sign in')).toBeVisible()
})

for (const [part, url, change, stays] of [
  ['Your account', '/api/auth/user', { email: null }, 'Subscription Status'],
  ['Subscription Status', '/api/user/subscription', { status: {} }, 'Current Plan Features'],
  ['Current Plan Features', '/api/user/subscription', { tier: 'gold' }, 'Subscription Status'],
] as const) {
  test(`an answer that nobody foresaw takes “${part}” from the profile, and no more`, async ({
    page,
    member,
  }) => {
    await member()
    await oddly(page, url, change)
    await page.goto('/profile')
    await expect(alert(page)).toContainText(`${part} could not be shown`)
    await expect(heading(page, stays)).toBeVisible()
    await expect(heading(page, 'Profile')).toBeVisible()
  })
}

test('somebody whose server names no plan is on the free one', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await oddly(page, '/api/auth/user', { subscriptionTier: undefined })
  for (const path of ['/profile', '/dashboard']) {
    await page.goto(path)
    await expect(page.getByRole('banner')).toContainText('FREE')
    await expect(alert(page)).toHaveCount(0)
  }
  await openCode(page, 'Poster')
})

test('invoices that nobody foresaw take billing from the profile, and no more', async ({
  page,
  member,
}) => {
  await (await member()).pay('professional')
  await page.route('/api/user/invoices', (route) => route.fulfill({ json: [null] }))
  await page.goto('/profile')
  await expect(alert(page)).toContainText('Billing could not be shown')
  await expect(heading(page, 'Subscription Status')).toBeVisible()
})

test('plans that cannot be drawn leave the way to help', async ({ page, member }) => {
  await member()
  await oddly(page, '/api/user/subscription', { tier: 'gold' })
  await page.goto('/subscription')
  await expect(alert(page)).toContainText('The plans could not be shown')
  await expect(heading(page, 'Need Help?')).toBeVisible()
})

test('a payment that cannot be drawn leaves the page around it', async ({ page, member }) => {
  await member()
  await openPayment(page, { tier: 'gold' as 'starter' })
  await page.goto(PAYMENT_STEP)
  await expect(alert(page)).toContainText('The payment could not be shown')
  await expect(page.getByRole('banner')).toContainText('Ada')
})

test('a test payment that cannot be drawn offers no button to pay', async ({ page, member }) => {
  await member()
  await oddly(page, /\/page$/, { renewsAt: 'soon' })
  await choosePlan(page, 'Professional')
  await expect(alert(page)).toContainText('The payment could not be shown')
  await expect(heading(page, 'Pay for Professional')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Pay/ })).toHaveCount(0)
})

test('a part of the portal that cannot be drawn leaves the others', async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Professional')
  await oddly(page, /\/page$/, { invoices: null })
  await openPortal(page)
  await expect(alert(page)).toContainText('Your invoices could not be shown')
  await expect(page.getByRole('button', { name: 'Cancel the plan' })).toBeVisible()
})

test('a sandbox page that is none says so', async ({ page, member }) => {
  await member()
  await page.route(/\/page$/, (route) => route.fulfill({ json: null }))
  await choosePlan(page, 'Professional')
  await expect(alert(page)).toContainText('This page could not be shown')
  await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
})
