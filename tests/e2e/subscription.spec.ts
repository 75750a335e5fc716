import type { Page } from '@playwright/test'
import { changeAnswer } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, toasts } from './screens.ts'

const CHECKOUT = '/api/create-checkout-session'

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

test('a chosen plan is marked and paid in one press', async ({ page, member, destination }) => {
  const account = await member()
  await changeAnswer(page, '/api/config', { supportEmail: 'help@example.com' })
  await page.goto('/subscription')
  await expect(page.getByText('Save 20%', { exact: true })).toBeVisible()
  await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
  await expect(plan(page, 'Unlimited')).toContainText('$11.99/month')
  await expect(plan(page, 'Unlimited')).toContainText('billed $143.88 yearly')
  await toggle(page, 'Monthly').click()
  await expect(plan(page, 'Unlimited')).toContainText('$13.99/month')
  await expect(plan(page, 'Unlimited')).not.toContainText('yearly')
  await expect(plan(page, 'Professional').getByText('Popular', { exact: true })).toBeVisible()
  const contact = page.getByRole('link', { name: 'Contact Support' })
  await expect(contact).toHaveAttribute('href', 'mailto:help@example.com')

  await test.step('the current plan cannot be chosen again, unless it has lapsed', async () => {
    await account.subscribe('professional')
    await page.goto('/subscription', { waitUntil: 'networkidle' })
    await expect(page.getByText('Current Plan: PROFESSIONAL', { exact: true })).toBeVisible()
    const current = plan(page, 'Professional').getByRole('button', { name: 'Current Plan' })
    await expect(current).toBeDisabled()
    await expect(page.getByRole('button', { name: /^Choose / })).toHaveText([
      'Choose Starter',
      'Choose Unlimited',
    ])
    // The operator gave this plan: it has no billing to switch.
    await expect(page.getByRole('button', { name: /^Switch to/ })).toHaveCount(0)
    await account.subscribe('professional', 'canceled')
    await page.goto('/subscription')
    await expect(choose(page, 'Professional')).toBeEnabled()
    await expect(page.getByText(/^Current Plan/)).toHaveCount(0)
  })

  await test.step('a server without payments says so before the choice', async () => {
    await changeAnswer(page, '/api/config', { billing: 'off' })
    await page.goto('/profile')
    await page.getByRole('button', { name: 'View Plans' }).click()
    await expect(page.getByText('Payments are switched off on this server')).toBeVisible()
    for (const name of ['Starter', 'Professional', 'Unlimited']) {
      await expect(choose(page, name)).toBeDisabled()
    }
    await page.unrouteAll({ behavior: 'wait' })
  })

  await account.subscribe('starter')
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/subscription?tier=unlimited&billing=monthly')
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  const chosen = plan(page, 'Unlimited')
  await expect(chosen.getByText('Your choice', { exact: true })).toBeInViewport()
  await expect(choose(page, 'Unlimited')).toBeFocused()
  await expect(choose(page, 'Unlimited')).toBeInViewport()
  await expect(chosen).toContainText('$13.99/month')
  await expect(chosen).toContainText('You can have as many QR codes as you like instead of 3.')
  await expect(choose(page, 'Professional')).toHaveAttribute('data-variant', 'default')
  const { asked, release } = await holdCheckout(page, `${destination.origin}/pay`)
  release()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${destination.origin}/pay`)
  expect(asked).toEqual([{ tier: 'unlimited', billing: 'monthly' }])

  for (const tier of ['gold', 'starter']) {
    await page.goto(`/subscription?tier=${tier}&billing=weekly`)
    await expect(choose(page, 'Professional')).toHaveAttribute('data-variant', 'filled')
    await expect(choose(page, 'Unlimited')).toHaveAttribute('data-variant', 'default')
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
    await expect(page.getByText('Your choice')).toHaveCount(0)
  }
})

test.describe('a choice', () => {
  test.use({ expected: /status of (401|500|503)|^50\d:/ })

  test('goes to the checkout or says why not', { tag: '@soak' }, async ({
    page,
    context,
    member,
    destination,
  }) => {
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
      await expect(choose(page, 'Unlimited')).toBeFocused()
      await expect(choose(page, 'Starter')).toBeEnabled()
    }

    await test.step('and so does a switch of its billing', async () => {
      await page.unrouteAll({ behavior: 'wait' })
      await account.pay('professional')
      const { asked, release } = await holdCheckout(page, `${destination.origin}/change`)
      release()
      await page.goto('/subscription')
      const card = plan(page, 'Professional')
      await expect(card.getByRole('button', { name: 'Current Plan' })).toBeDisabled()
      await card.getByRole('button', { name: 'Switch to monthly billing' }).click()
      await expect(page).toHaveURL(`${destination.origin}/change`)
      expect(asked).toEqual([{ tier: 'professional', billing: 'monthly' }])
    })

    await test.step('a lower plan asks first', async () => {
      await page.goto('/subscription')
      await expect(plan(page, 'Starter')).not.toContainText('For you')
      await toggle(page, 'Monthly').click()
      await choose(page, 'Starter').click()
      const question = page.getByRole('dialog', { name: 'Change to Starter?' })
      await expect(question.getByRole('listitem').last()).toHaveText(
        'You’ll see the exact cost on the next page. Nothing changes until you confirm.',
      )
      await expect(question.getByRole('button', { name: 'Keep Professional' })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
      await expect(choose(page, 'Starter')).toBeFocused()
      await choose(page, 'Starter').click()
      await question.getByRole('button', { name: 'Continue' }).click()
      await expect(page).toHaveURL(`${destination.origin}/change`)
      await page.unrouteAll({ behavior: 'wait' })
    })
    await account.subscribe('professional', 'canceled')
    await account.code()
    await page.goto('/subscription')
    // The unit tests have the effects of each change.
    const lasting = 'Your QR code with a 14-day limit will no longer expire.'
    await expect(plan(page, 'Professional')).toContainText(`For you${lasting}`)
    await expect(plan(page, 'Professional')).toContainText('10 QR codes instead of 3.')
    await context.clearCookies()
    await choose(page, 'Unlimited').click()
    await page.waitForURL('/api/login?returnTo=%2Fsubscription')
  })
})
