import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, toasts } from './screens.ts'

const CHECKOUT = '/api/create-checkout-session'

const prices = {
  Annual: { Starter: '$3.99', Professional: '$6.99', Unlimited: '$11.99' },
  Monthly: { Starter: '$4.99', Professional: '$8.49', Unlimited: '$13.99' },
}

const plan = (page: Page, name: string) =>
  page
    .locator('.mantine-Card-root')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const choose = (page: Page, name: string) =>
  page.getByRole('button', { name: `Choose ${name}`, exact: true })
const toggle = (page: Page, billing: string) => page.getByText(billing, { exact: true })

/** Where something stands, in whole pixels. */
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox()
  return box && Object.values(box).map(Math.round)
}

test('somebody on the free plan compares the three plans', async ({ page, member }) => {
  await member()
  await page.goto('/subscription')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose Your Plan')
  await expect(page.getByText('Upgrade your QR code management experience')).toBeVisible()
  await expect(page.getByText('Save 20%', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Current Plan/)).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Choose / })).toHaveText([
    ...['Choose Starter', 'Choose Professional', 'Choose Unlimited'],
  ])
  await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
  for (const billing of ['Monthly', 'Annual'] as const) {
    await toggle(page, billing).click()
    for (const [name, price] of Object.entries(prices[billing])) {
      await expect(plan(page, name)).toContainText(`${price}/month`)
    }
    const yearly = plan(page, 'Unlimited').getByText('billed $143.88 yearly')
    await expect(yearly).toHaveCount(billing === 'Annual' ? 1 : 0)
  }
  await expect(plan(page, 'Professional').getByText('Popular', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('the mark of the chosen billing lies on it', async ({ page, member }) => {
  await member()
  await page.goto('/subscription')
  const mark = page.locator('.mantine-SegmentedControl-indicator')
  for (const billing of ['Monthly', 'Annual']) {
    await toggle(page, billing).click()
    const chosen = page.locator('.mantine-SegmentedControl-label', { hasText: billing })
    await expect.poll(() => boxOf(mark)).toEqual(await boxOf(chosen))
  }
})

for (const [tier, name] of [
  ['starter', 'Starter'],
  ['professional', 'Professional'],
  ['unlimited', 'Unlimited'],
] as const) {
  test(`somebody on the ${tier} plan cannot choose it again`, async ({ page, member }) => {
    await member({ tier })
    await page.goto('/subscription')
    await expect(
      page.getByText(`Current Plan: ${tier.toUpperCase()}`, { exact: true }),
    ).toBeVisible()
    await expect(plan(page, name).getByRole('button', { name: 'Current Plan' })).toBeDisabled()
    await expect(page.getByRole('button', { name: /^Choose / })).toHaveCount(2)
  })
}

test('somebody whose plan has lapsed can choose it again', async ({ page, member }) => {
  await (await member()).subscribe('professional', 'canceled')
  await page.goto('/subscription')
  await expect(choose(page, 'Professional')).toBeEnabled()
  await expect(page.getByText(/^Current Plan/)).toHaveCount(0)
})

test('somebody who needs help is told how to get it', async ({ page, member }) => {
  await member()
  await page.goto('/subscription')
  const help = page.getByRole('region', { name: 'Need Help?' })
  await expect(help.getByRole('button', { name: 'Contact Support' })).toBeVisible()
})

test('a choice goes to the checkout page with the plan and its billing', async ({
  page,
  member,
  destination,
}) => {
  await member()
  const asked: unknown[] = []
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(CHECKOUT, async (route) => {
    asked.push(route.request().postDataJSON())
    await held
    await route.fulfill({ json: { checkoutUrl: `${destination.origin}/pay` } })
  })
  await page.goto('/subscription')
  await toggle(page, 'Monthly').click()
  await choose(page, 'Starter').click()
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled()
  await expect(choose(page, 'Professional')).toBeDisabled()
  answer()
  await expect(page).toHaveURL(`${destination.origin}/pay`)
  expect(asked).toEqual([{ tier: 'starter', billing: 'monthly' }])

  await page.goBack()
  await expect(choose(page, 'Starter')).toBeEnabled()
})

test('an answer without an address is told, and the plans can be chosen again', async ({
  page,
  member,
}) => {
  await member()
  await page.route(CHECKOUT, (route) => route.fulfill({ json: {} }))
  await page.goto('/subscription')
  await choose(page, 'Professional').click()
  await expectToast(page, 'Error', 'No checkout URL received')
  await expect(choose(page, 'Professional')).toBeEnabled()
})

test.describe('refused', () => {
  test.use({ expected: /status of (401|500|503)|^50\d:/ })

  test('a refusal is told in the server’s words, and the plans can be chosen again', async ({
    page,
    member,
  }) => {
    await member()
    await page.route(CHECKOUT, (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'Payments are switched off on this server.', code: 'billing_off' },
      }),
    )
    await page.goto('/subscription')
    await choose(page, 'Unlimited').click()
    await expectToast(page, 'Error', 'Payments are switched off on this server.')
    await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
    await expect(choose(page, 'Unlimited')).toBeEnabled()
    await expect(choose(page, 'Starter')).toBeEnabled()
  })

  test('a failure without words is told in ours', async ({ page, member }) => {
    await member()
    await page.route(CHECKOUT, (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/subscription')
    await choose(page, 'Starter').click()
    await expectToast(page, 'Error', 'Failed to create checkout session')
    await expect(choose(page, 'Starter')).toBeEnabled()
  })

  test('somebody whose session has ended is sent to sign in and back to the plans', async ({
    page,
    context,
    member,
  }) => {
    await member()
    await page.goto('/subscription')
    await expect(choose(page, 'Starter')).toBeVisible()
    await context.clearCookies()
    await choose(page, 'Starter').click()
    await page.waitForURL('/api/login?returnTo=%2Fsubscription')
  })
})
