import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const day = (instant: number) =>
  new Date(instant).toLocaleDateString('en-US', { dateStyle: 'medium' })

const WARNING = "⚠️ You're approaching your QR code limit. Consider upgrading for more codes."

/** The card under a heading. */
const card = (page: Page, heading: string) =>
  page
    .locator('.mantine-Card-root')
    .filter({ has: page.getByRole('heading', { name: heading, exact: true }) })
const main = (page: Page) => page.getByRole('main')

test('somebody on the free plan reads who they are and what they have', async ({
  page,
  member,
}) => {
  const account = await member({ name: 'Ada Lovelace' })
  await account.code()
  await page.goto('/profile')
  const header = card(page, 'Ada Lovelace')
  await expect(header.getByText(account.email)).toBeVisible()
  await expect(header.getByText('PE', { exact: true })).toBeVisible()
  await expect(header.getByText('FREE', { exact: true })).toBeVisible()
  await expect(header.getByText('For trying things out')).toBeVisible()

  const status = card(page, 'Subscription Status')
  await expect(status.getByText('Active', { exact: true })).toBeVisible()
  await expect(status.getByText('1 / 3')).toBeVisible()
  await expect(status.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^33/)
  await expect(status.getByText(/Renews|Expires/)).toHaveCount(0)
  await expect(page.getByText(WARNING)).toHaveCount(0)
  await expect(card(page, 'Current Plan Features').getByRole('listitem')).toHaveText([
    ...['3 QR codes', '14-day expiration', 'Basic analytics', 'Multiple download formats'],
  ])
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('somebody without a last name is called by their address', async ({ page, member }) => {
  const { email } = await member({ name: 'Plato' })
  await page.goto('/profile')
  const name = email.split('@')[0] as string
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
})

test('somebody with a picture sees it instead of their initials', async ({ page, member }) => {
  await member()
  await page.route('/api/auth/user', async (route) => {
    const user = await (await route.fetch()).json()
    await route.fulfill({ json: { ...user, profileImageUrl: '/favicon.svg' } })
  })
  await page.goto('/profile')
  const header = card(page, 'Ada Lovelace')
  await expect(header.locator('img[src="/favicon.svg"]')).toBeVisible()
  await expect(header.getByText('PE', { exact: true })).toHaveCount(0)
})

test('somebody who nears the limit is warned', async ({ page, member }) => {
  const account = await member()
  for (const name of ['One', 'Two', 'Three']) await account.code({ name })
  await page.goto('/profile')
  await expect(page.getByRole('note')).toHaveText(WARNING)
  await expect(page.getByText('3 / 3')).toBeVisible()
})

test('somebody on the professional plan reads when it renews', async ({ page, member }) => {
  const account = await member()
  const end = Date.now() + 20 * 86_400_000
  await account.subscribe('professional', 'active', end)
  await page.goto('/profile')
  const status = card(page, 'Subscription Status')
  await expect(status.getByText(`Renews on ${day(end)}`)).toBeVisible()
  await expect(status.getByText('0 / 10')).toBeVisible()
  await expect(main(page).getByText('PROFESSIONAL', { exact: true })).toBeVisible()
  await expect(card(page, 'Current Plan Features').getByRole('listitem')).toHaveText([
    ...['10 QR codes', 'No expiration', 'Advanced analytics'],
    ...['Multiple download formats', 'Vanity URLs'],
  ])
})

test('somebody on the unlimited plan has no limit and nothing to upgrade to', async ({
  page,
  member,
}) => {
  await (await member({ tier: 'unlimited' })).code()
  await page.goto('/profile')
  const status = card(page, 'Subscription Status')
  await expect(status.getByText('1 / ∞')).toBeVisible()
  await expect(status.getByRole('progressbar')).toHaveCount(0)
  await expect(card(page, 'Current Plan Features').getByRole('listitem')).toContainText([
    ...['Priority support', 'Advanced customization'],
  ])
  await expect(page.getByRole('button', { name: 'Upgrade Plan' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'View Plans' })).toHaveCount(0)
})

test('somebody whose plan has lapsed reads so and can choose it again', async ({
  page,
  member,
}) => {
  const account = await member()
  const end = Date.now() - 86_400_000
  await account.subscribe('unlimited', 'canceled', end)
  await page.goto('/profile')
  const status = card(page, 'Subscription Status')
  await expect(status.getByText('canceled', { exact: true })).toBeVisible()
  await expect(status.getByText(`Expires on ${day(end)}`)).toBeVisible()
  await expect(status.getByText('0 / 3')).toBeVisible()
  await expect(card(page, 'Current Plan Features')).toContainText('3 QR codes')
  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  await expect(page.getByRole('button', { name: 'Choose Unlimited' })).toBeEnabled()
})

for (const opener of ['Upgrade Plan', 'View Plans']) {
  test(`“${opener}” opens the plans, and a choice leads to its payment`, async ({
    page,
    member,
  }) => {
    await member({ tier: 'starter' })
    await page.goto('/profile')
    await page.getByRole('button', { name: opener }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose Your Plan')
    await expect(page.getByText('Upgrade your subscription to unlock more features')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()

    await page.getByRole('button', { name: '← Back to Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()

    await page.getByRole('button', { name: opener }).click()
    await page.getByRole('button', { name: 'Choose Professional' }).click()
    await expect(page).toHaveURL('/subscription?tier=professional&billing=annual')
    await expect(page.getByRole('heading', { name: 'Need Help?' })).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: opener }).click()
    await page.getByText('Monthly', { exact: true }).click()
    await page.getByRole('button', { name: 'Choose Unlimited' }).click()
    await expect(page).toHaveURL('/subscription?tier=unlimited&billing=monthly')
    await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  })
}

test.describe('while a call fails', () => {
  test.use({ expected: /status of 500|^500:/ })

  test('the profile without a subscription shows the free plan and its own count', async ({
    page,
    member,
  }) => {
    const account = await member()
    await account.code()
    await page.route('/api/user/subscription', (route) => route.fulfill({ status: 500 }))
    await page.goto('/profile')
    const status = card(page, 'Subscription Status')
    await expect(status.getByText('Active', { exact: true })).toBeVisible()
    await expect(status.getByText('1 / 3')).toBeVisible()
  })
})
