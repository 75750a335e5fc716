import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { STRIPE_SCRIPT, type StripeAnswer } from '../../support/stripe-script.ts'
import { expect, test } from '../fixtures.ts'
import { openPayment, PAYMENT_STEP, providerHas } from '../payments.ts'
import { expectToast, toasts } from '../screens.ts'

const KEY = 'pk_test_forTheBrowser'

test.use({
  environment: {
    ...{ STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none' },
    ...{ STRIPE_PUBLISHABLE_KEY: KEY, CHECKOUT: 'embedded' },
  },
})

// The server differs from the usual one: started once, not once a worker.
test.describe.configure({ mode: 'default' })

const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe to Professional' })

const serveScript = (page: Page) =>
  page.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STRIPE_SCRIPT }),
  )

/** Opens the step with Stripe's form in it. */
async function openForm(page: Page) {
  await serveScript(page)
  await openPayment(page, { provider: 'stripe', clientSecret: 'pi_1_secret_2' })
  await page.goto(PAYMENT_STEP)
  await expect(page.getByLabel('Card number')).toBeVisible()
}

const answerWith = (page: Page, answer: StripeAnswer) =>
  page.evaluate((given) => {
    window.stripeAnswer = given
  }, answer)

test('Stripe’s form has our key, secret and colors, and comes back to the dashboard', async ({
  page,
  member,
}) => {
  const account = await member()
  await page.emulateMedia({ colorScheme: 'light' })
  await openForm(page)
  const background = () =>
    page.evaluate(() => {
      const { options } = window.stripeCalls
      return options.findLast((each) => each.appearance)?.appearance?.variables.colorBackground
    })
  expect(await background()).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).toBe('rgb(33, 31, 27)')

  const asked = await providerHas(page, account, { tier: 'professional' })
  await page.evaluate(() => {
    window.stripeAnswer = new Promise((resolve) => {
      window.addEventListener('answer', () => resolve({ status: 'succeeded' }))
    })
  })
  await subscribe(page).click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const calls = await page.evaluate(() => window.stripeCalls)
  expect(calls.key).toBe(KEY)
  expect(calls.options[0]).toMatchObject({ clientSecret: 'pi_1_secret_2' })
  const origin = new URL(page.url()).origin
  expect(calls.confirmed).toEqual([
    {
      confirmParams: { return_url: `${origin}/dashboard` },
      ...{ redirect: 'if_required', hasElements: true },
    },
  ])
  expect(asked.times).toBe(0)

  await page.evaluate(() => window.dispatchEvent(new Event('answer')))
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
})

test('a refusal is told in Stripe’s words, for everybody to read, and the payment is tried again', async ({
  page,
  member,
}) => {
  const account = await member()
  await openForm(page)
  await providerHas(page, account, { tier: 'professional' })
  const refusal = 'Your card has insufficient funds.'
  await answerWith(page, { refusal, status: 'requires_action' })
  await subscribe(page).click()
  await expectToast(page, 'Payment Failed', refusal)
  await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
  await expect(subscribe(page)).toBeFocused()
  await expect(page).toHaveURL(PAYMENT_STEP)

  await page.addStyleTag({ content: '*, *::before, *::after { transition: none !important }' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations, colorScheme).toEqual([])
  }

  // Stripe refuses the second try of a payment that was made.
  await answerWith(page, { refusal: 'This payment has succeeded already.', status: 'succeeded' })
  await subscribe(page).click()
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
})

test.describe('Stripe’s script', () => {
  test.use({ expected: /ERR_FAILED/ })

  test('is not loaded to compare plans, and is loaded again if it does not come', async ({
    page,
    member,
  }) => {
    await member()
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.goto('/subscription', { waitUntil: 'networkidle' })
    await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeVisible()
    expect([...hosts]).toEqual([new URL(page.url()).host])

    await page.route('https://js.stripe.com/**', (route) => route.abort())
    await openPayment(page, { provider: 'stripe', clientSecret: 'pi_1_secret_2' })
    await page.goto(PAYMENT_STEP)
    await expect(page.getByRole('alert')).toContainText('The card form could not be loaded')
    await page.unroute('https://js.stripe.com/**')
    await serveScript(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(subscribe(page)).toBeVisible()
  })
})
