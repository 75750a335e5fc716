import type { Page } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { dayText } from './screens.ts'

const WARNING = "⚠️ You're approaching your QR code limit. Consider upgrading for more codes."

/** The card under a heading. */
const card = (page: Page, heading: string) =>
  page
    .locator('.mantine-Card-root')
    .filter({ has: page.getByRole('heading', { name: heading, exact: true }) })

test.use({ expected: /status of 500|^500:/ })

test('the profile shows the user, and each plan with its limit', async ({ page, member }) => {
  const account = await member({ name: 'Ada Lovelace' })
  await account.code()
  await page.goto('/profile')
  const header = card(page, 'Ada Lovelace')
  await expect(header.getByText(account.email)).toBeVisible()
  await expect(header.getByText('PE', { exact: true })).toBeVisible()
  await expect(header.getByText('FREE', { exact: true })).toBeVisible()

  const status = card(page, 'Subscription Status')
  await expect(status.getByText('1 / 3')).toBeVisible()
  await expect(status.getByRole('progressbar')).toHaveAttribute('aria-valuenow', /^33/)
  await expect(page.getByText(WARNING)).toHaveCount(0)

  const end = Date.now() + 20 * DAY_MS
  const features = card(page, 'Current Plan Features').getByRole('listitem')

  await test.step('without numbers if the subscription cannot be loaded', async () => {
    await refuse(page, '/api/user/subscription', 500)
    await page.goto('/profile')
    await expect(page.getByRole('alert')).toContainText('Your subscription couldn’t be loaded')
    await expect(page.getByText('1 / 3')).toHaveCount(0)
    await page.unroute('/api/user/subscription')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(status.getByText('1 / 3')).toBeVisible()
  })

  await test.step('free and near its limit', async () => {
    for (const name of ['Two', 'Three']) await account.code({ name })
    await page.goto('/profile')
    await expect(page.getByRole('note')).toHaveText(WARNING)
    await expect(status).toContainText('You’ve used all 3 QR codes on the Free plan.')
  })

  await test.step('unlimited, with nothing to upgrade to', async () => {
    await account.subscribe('unlimited', 'active', end)
    await page.goto('/profile')
    await expect(status.getByText(`Renews on ${dayText(end)}`)).toBeVisible()
    await expect(status.getByText('3 / ∞')).toBeVisible()
    await expect(status.getByRole('progressbar')).toHaveCount(0)
    await expect(features).toContainText(['Priority support', 'Advanced customization'])
    await expect(page.getByRole('button', { name: 'Upgrade Plan' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'View Plans' })).toHaveCount(0)
  })

  await test.step('lapsed, to be chosen again', async () => {
    const past = Date.now() - DAY_MS
    await account.subscribe('unlimited', 'canceled', past)
    await page.goto('/profile')
    await expect(status.getByText('canceled', { exact: true })).toBeVisible()
    await expect(status.getByText(`Expires on ${dayText(past)}`)).toBeVisible()
    await expect(status).toContainText('The codes you created on it keep working.')
    await expect(features.first()).toHaveText('3 QR codes')
    await page.getByRole('button', { name: 'Upgrade Plan' }).click()
    await expect(page.getByRole('button', { name: 'Choose Unlimited' })).toBeEnabled()
  })
})
