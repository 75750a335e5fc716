import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, toasts } from './screens.ts'

const CHECKOUT = '/api/create-checkout-session'

const prices = {
  Monthly: { Starter: '$4.99', Professional: '$8.49', Unlimited: '$13.99' },
  Annual: { Starter: '$3.99', Professional: '$6.99', Unlimited: '$11.99' },
}

const plan = (page: Page, name: string) =>
  page
    .locator('.mantine-Card-root')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const choose = (page: Page, name: string) =>
  page.getByRole('button', { name: `Choose ${name}`, exact: true })
const toggle = (page: Page, billing: string) => page.getByText(billing, { exact: true })

/** Returns an address for a checkout once it is released, and records the calls. */
async function holdCheckout(page: Page, checkoutUrl: string) {
  const asked: unknown[] = []
  const held = Promise.withResolvers<void>()
  await page.route(CHECKOUT, async (route) => {
    asked.push(route.request().postDataJSON())
    await held.promise
    await route.fulfill({ json: { checkoutUrl } })
  })
  return { asked, release: held.resolve }
}

/** Changes the server's settings for the page. */
const changeConfig = (page: Page, change: object) =>
  page.route('/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({ json: { ...config, ...change } })
  })

test('plans are compared, and a chosen one needs one Continue', async ({ page, member }) => {
  const account = await member()
  await page.goto('/subscription')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose Your Plan')
  await expect(page.getByText('Save 20%', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Choose / })).toHaveText([
    'Choose Starter',
    'Choose Professional',
    'Choose Unlimited',
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

  await changeConfig(page, { supportEmail: 'help@example.com' })
  await page.goto('/subscription')
  const contact = page.getByRole('link', { name: 'Contact Support' })
  await expect(contact).toHaveAttribute('href', 'mailto:help@example.com')

  await test.step('the current plan cannot be chosen again, unless it has lapsed', async () => {
    await account.subscribe('professional')
    await page.goto('/subscription', { waitUntil: 'networkidle' })
    await expect(page.getByText('Current Plan: PROFESSIONAL', { exact: true })).toBeVisible()
    const current = plan(page, 'Professional').getByRole('button', { name: 'Current Plan' })
    await expect(current).toBeDisabled()
    await expect(page.getByRole('button', { name: /^Choose / })).toHaveCount(2)
    // The operator gave this plan: it has no billing to switch.
    await expect(page.getByRole('button', { name: /^Switch to/ })).toHaveCount(0)
    await account.subscribe('professional', 'canceled')
    await page.goto('/subscription')
    await expect(choose(page, 'Professional')).toBeEnabled()
    await expect(page.getByText(/^Current Plan/)).toHaveCount(0)
  })

  await test.step('a server without payments says so before the choice', async () => {
    await changeConfig(page, { billing: 'off' })
    for (const path of ['/subscription', '/profile']) {
      await page.goto(path)
      if (path === '/profile') await page.getByRole('button', { name: 'View Plans' }).click()
      await expect(page.getByText('Payments are switched off on this server')).toBeVisible()
      for (const name of ['Starter', 'Professional', 'Unlimited']) {
        await expect(choose(page, name)).toBeDisabled()
      }
    }
  })

  await page.unrouteAll()
  await account.subscribe('starter')
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/subscription?tier=unlimited&billing=monthly')
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  const chosen = page.getByRole('region', { name: 'Your choice: Unlimited, billed monthly' })
  await expect(chosen.getByRole('button', { name: 'Continue' })).toBeFocused()
  await expect(chosen).toContainText('$13.99/month')
  await expect(chosen).toContainText('You can have as many QR codes as you like instead of 3.')
  await expect(choose(page, 'Unlimited')).toHaveCount(0)
  await chosen.getByRole('link', { name: 'Compare all plans' }).click()
  await expect(page).toHaveURL('/subscription')
  await expect(choose(page, 'Professional')).toBeVisible()

  for (const tier of ['gold', 'starter']) {
    await page.goto(`/subscription?tier=${tier}&billing=weekly`)
    await expect(choose(page, 'Unlimited')).toBeVisible()
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
    await expect(page.getByText('Your choice')).toHaveCount(0)
    await expect(choose(page, 'Professional')).toHaveAttribute('data-variant', 'filled')
    await expect(choose(page, 'Unlimited')).toHaveAttribute('data-variant', 'default')
  }
})

test.describe('a choice', () => {
  test.use({ expected: /status of (401|500|503)|^50\d:/ })

  test('goes to the checkout or says why not', async ({ page, context, member, destination }) => {
    const account = await member()
    const { asked, release } = await holdCheckout(page, `${destination.origin}/pay`)
    await page.goto('/subscription')
    await toggle(page, 'Monthly').click()
    await choose(page, 'Starter').click()
    await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled()
    await expect(choose(page, 'Professional')).toBeDisabled()
    release()
    await expect(page).toHaveURL(`${destination.origin}/pay`)
    expect(asked).toEqual([{ tier: 'starter', billing: 'monthly' }])

    await page.goBack()
    await expect(choose(page, 'Starter')).toBeEnabled()
    await page.unroute(CHECKOUT)
    const message = 'Payments are switched off on this server.'
    for (const [answer, text] of [
      [{ json: {} }, 'No checkout URL received'],
      [{ status: 503, json: { message, code: 'billing_off' } }, message],
      [{ status: 500, body: '' }, 'Failed to create checkout session'],
    ] as const) {
      await page.route(CHECKOUT, (route) => route.fulfill(answer))
      await choose(page, 'Unlimited').click()
      await expectToast(page, 'Error', text)
      await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
      await expect(choose(page, 'Unlimited')).toBeEnabled()
      await expect(choose(page, 'Unlimited')).toBeFocused()
      await expect(choose(page, 'Starter')).toBeEnabled()
    }

    await test.step('and so does a switch of its billing', async () => {
      await page.unrouteAll()
      await account.pay('professional')
      const { asked, release } = await holdCheckout(page, `${destination.origin}/change`)
      await page.goto('/subscription')
      const card = plan(page, 'Professional')
      await expect(card.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
      await card.getByRole('button', { name: 'Switch to monthly billing' }).click()
      await expect(card.getByRole('button', { name: 'Creating...' })).toBeVisible()
      await expect(choose(page, 'Starter')).toBeDisabled()
      release()
      await expect(page).toHaveURL(`${destination.origin}/change`)
      expect(asked).toEqual([{ tier: 'professional', billing: 'monthly' }])
      await page.unrouteAll()
    })
    await page.goto('/subscription')
    await context.clearCookies()
    await choose(page, 'Unlimited').click()
    await page.waitForURL('/api/login?returnTo=%2Fsubscription')
  })
})

test('a higher plan says its effect, a lower one asks', async ({ page, member, destination }) => {
  const account = await member()
  for (const name of ['Menu', 'Poster']) await account.code({ name })
  await page.goto('/subscription')
  const lasting = '2 QR codes that stop working after 14 days will no longer expire.'
  for (const name of ['Starter', 'Professional', 'Unlimited']) {
    await expect(plan(page, name)).toContainText(`For you${lasting}`)
  }
  await expect(plan(page, 'Starter')).not.toContainText('instead of 3')
  await expect(plan(page, 'Professional')).toContainText('You can have 10 QR codes instead of 3.')
  await expect(plan(page, 'Unlimited')).toContainText(
    'You can have as many QR codes as you like instead of 3.',
  )

  await account.pay('professional')
  for (const name of ['Flyer', 'Card']) await account.code({ name })
  const { asked, release } = await holdCheckout(page, `${destination.origin}/change`)
  release()
  await page.goto('/subscription')
  await expect(plan(page, 'Starter')).not.toContainText('For you')
  await choose(page, 'Starter').click()
  const question = page.getByRole('dialog', { name: 'Change to Starter?' })
  await expect(question.getByRole('listitem')).toHaveText([
    'All 4 of your QR codes keep working.',
    /^The Starter plan includes 3 QR codes/,
    /^New custom URLs/,
    'The next page shows what it costs. Nothing changes before you agree there.',
  ])
  await expect(question.getByRole('button', { name: 'Keep Professional' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(choose(page, 'Starter')).toBeFocused()
  expect(asked).toEqual([])

  await toggle(page, 'Monthly').click()
  await choose(page, 'Starter').click()
  await question.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL(`${destination.origin}/change`)
  expect(asked).toEqual([{ tier: 'starter', billing: 'monthly' }])
})
