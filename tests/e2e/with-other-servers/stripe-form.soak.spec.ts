import type { Page } from '@playwright/test'
import { STRIPE_SCRIPT, type StripeAnswer } from '../../support/stripe-script.ts'
import { refuse } from '../changed-answers.ts'
import { expect, test } from '../fixtures.ts'
import { openPayment, PAYMENT_STEP, providerHas } from '../payments.ts'
import { expectToast } from '../screens.ts'

const PROMOTION = '/api/checkout/open/promotion'
const SCRIPT = 'https://js.stripe.com/**'
const KEY = 'pk_test_forTheBrowser'
const OVER = 'This payment is no longer open. Choose a plan to start again.'

test.use({
  environment: {
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_WEBHOOK_SECRET: 'whsec_none',
    STRIPE_PUBLISHABLE_KEY: KEY,
    CHECKOUT: 'embedded',
  },
})

// The server differs from the usual one: started once, not once a worker.
test.describe.configure({ mode: 'default' })

const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe to Professional' })

const serveScript = (page: Page) =>
  page.route(SCRIPT, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: STRIPE_SCRIPT }),
  )

const answerWith = (page: Page, answer: StripeAnswer) =>
  page.evaluate((given) => {
    window.stripeAnswer = given
  }, answer)

test.use({ expected: /ERR_FAILED|status of 422|^422:/ })

test('Stripe’s form has our key, secret and colors, and can refuse', async ({ page, member }) => {
  const account = await member()
  await page.emulateMedia({ colorScheme: 'light' })
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  await page.goto('/subscription', { waitUntil: 'networkidle' })
  await expect(page.getByRole('button', { name: 'Choose Starter' })).toBeVisible()
  expect([...hosts]).toEqual([new URL(page.url()).host])

  await page.route(SCRIPT, (route) => route.abort())
  await openPayment(page, { provider: 'stripe', clientSecret: 'pi_1_secret_2' })
  await page.goto(PAYMENT_STEP)
  await expect(page.getByRole('alert')).toContainText('The card form couldn’t be loaded')
  await page.unroute(SCRIPT)
  await serveScript(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  const background = () =>
    page.evaluate(() => {
      const { options } = window.stripeCalls
      return options.findLast((each) => each.appearance)?.appearance?.variables.colorBackground
    })
  expect(await background()).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(background).toBe('rgb(33, 31, 27)')

  const asked = await providerHas(page, account, { tier: 'professional' })
  const refusal = 'Your card has insufficient funds.'
  await answerWith(page, { refusal, status: 'requires_action' })
  await subscribe(page).click()
  await expectToast(page, 'Payment Failed', refusal)
  await expect(subscribe(page)).toBeFocused()
  await expect(page).toHaveURL(PAYMENT_STEP)

  await answerWith(page, { refusal, status: 'canceled' })
  await subscribe(page).click()
  await expectToast(page, 'Payment Failed', OVER)

  await page.evaluate(() => {
    window.stripeAnswer = new Promise((resolve) => {
      window.addEventListener('answer', () => resolve({ status: 'succeeded' }))
    })
  })
  await subscribe(page).click()
  await expect(page.getByRole('button', { name: 'Processing...' })).toBeVisible()
  const calls = await page.evaluate(() => window.stripeCalls)
  expect(calls.key).toBe(KEY)
  expect(calls.options[0]).toMatchObject({ clientSecret: 'pi_1_secret_2' })
  const origin = new URL(page.url()).origin
  expect(calls.confirmed.at(-1)).toEqual({
    confirmParams: { return_url: `${origin}/dashboard` },
    redirect: 'if_required',
    hasElements: true,
  })
  expect(asked.times).toBe(0)

  await page.evaluate(() => window.dispatchEvent(new Event('answer')))
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
})

test('with tax, the address comes before the payment', async ({ page, member }) => {
  await member()
  await page.route(SCRIPT, (route) => route.abort())
  await openPayment(page, { provider: 'stripe', needsAddress: true })
  await page.route('/api/checkout/open/address', async (route) => {
    expect(route.request().postDataJSON()).toMatchObject({ address: { postal_code: '62701' } })
    const paid = { amount: 10_066, tax: 1678, clientSecret: 'pi_1_secret_2' }
    await openPayment(page, { provider: 'stripe', ...paid })
    await route.fulfill({ json: { checkoutUrl: new URL(PAYMENT_STEP, page.url()).href } })
  })
  await page.goto(PAYMENT_STEP)
  await expect(page.getByRole('alert')).toContainText('The address form couldn’t be loaded')
  await page.unroute(SCRIPT)
  await serveScript(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  const next = page.getByRole('button', { name: 'Continue to payment' })
  await next.click()
  await page.getByRole('textbox', { name: 'Address' }).fill('12 Elm Street')
  await next.click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  const order = page.getByRole('region', { name: 'Order summary' })
  await expect(order.getByRole('term')).toHaveText(['Professional', 'Billed', 'Tax', 'Due today'])
  await expect(order.getByRole('definition').last()).toHaveText('$100.66')
})

test('a promotion code is refused or applied', async ({ page, member }) => {
  await member()
  await serveScript(page)
  const payment = { provider: 'stripe', clientSecret: 'pi_1_secret_2' } as const
  await openPayment(page, payment)
  await page.goto(PAYMENT_STEP)
  const order = page.getByRole('region', { name: 'Order summary' })
  const field = order.getByLabel('Promotion code')
  const apply = order.getByRole('button', { name: 'Apply' })
  await refuse(page, PROMOTION, 422, 'promotion_refused', 'This promotion code isn’t valid.')
  await field.fill('SPRING')
  await apply.click()
  await expect(field).toHaveAccessibleDescription('This promotion code isn’t valid.')
  await expect(field).toBeFocused()

  await page.unroute(PROMOTION)
  await page.route(PROMOTION, async (route) => {
    const off = { percentOff: 20, amountOff: null, currency: null, lasts: 'forever' } as const
    await openPayment(page, { ...payment, discount: { ...off, until: null, taken: 1678 } })
    await route.fulfill({ json: { checkoutUrl: new URL(PAYMENT_STEP, page.url()).href } })
  })
  await apply.click()
  await expect(order.getByRole('term')).toContainText(['20% off'])
  await expect(order.getByRole('definition').nth(2)).toHaveText('−$16.78')
  await expect(order).toContainText('Renews every year.')
})
