import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPayment, PAYMENT_STEP, providerHas } from './payments.ts'
import { expectToast, figure } from './screens.ts'
import { DECLINED, fillCard, PAYS } from './test-card.ts'

const PAY = '/api/checkout/open/pay'

const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe to Professional' })

test('a member reads the order, pays and finds the plan', async ({ page, member }) => {
  const account = await member()
  await account.code()
  await openPayment(page)
  const asked = await providerHas(page, account, { tier: 'professional' })
  const sent: unknown[] = []
  const held = Promise.withResolvers<void>()
  await page.route(PAY, async (route) => {
    sent.push(route.request().postDataJSON())
    await held.promise
    await route.fulfill({ json: { returnTo: '/dashboard?payment=success' } })
  })
  await page.goto(PAYMENT_STEP)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Complete Your Professional Subscription',
  )
  const order = page.getByRole('region', { name: 'Order summary' })
  await expect(order.getByRole('term')).toHaveText(['Professional', 'Billed', 'Due today'])
  await expect(order.getByRole('definition')).toHaveText(['$6.99/month', 'annually', '$83.88'])
  await expect(order).toContainText('Renews at $83.88 every year.')
  await expect(order.getByRole('listitem')).toHaveCount(3)
  await page.getByRole('link', { name: 'Back to Plans' }).click()
  await expect(page).toHaveURL('/subscription?tier=professional&billing=annual')
  await expect(page.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.goBack()

  await fillCard(page, PAYS)
  await subscribe(page).click()
  const busy = page.getByRole('button', { name: 'Processing...' })
  await expect(busy).toHaveAttribute('aria-disabled', 'true')
  await busy.press('Enter')
  expect(asked.times).toBe(0)

  held.resolve()
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
  await expect(figure(page, 'Plan Usage')).toHaveText('1/10 QR codes')
  expect(sent).toEqual([{ card: 'pays' }])
  expect(asked.times).toBe(1)
})

test.describe('that goes wrong', () => {
  test.use({ expected: /status of (401|402|404|503)|^503:/ })

  test('a declined card or a failed load can be tried again', async ({ page, context, member }) => {
    const account = await member()
    await openPayment(page, { billing: 'monthly', amount: 849 })
    await providerHas(page, account, { tier: 'professional', status: 'incomplete' })
    const message = 'Your card was declined. Nothing was charged.'
    await page.route(PAY, (route) =>
      route.request().postDataJSON().card === 'declined'
        ? route.fulfill({ status: 402, json: { message, code: 'card_declined' } })
        : route.fulfill({ json: { returnTo: '/dashboard' } }),
    )
    await page.goto(PAYMENT_STEP)
    await expect(page.getByText('Renews at $8.49 every month.')).toBeVisible()
    await fillCard(page, DECLINED)
    await subscribe(page).click()
    await expectToast(page, 'Payment Failed', message)
    await expect(subscribe(page)).toBeFocused()

    await fillCard(page, PAYS)
    await subscribe(page).click()
    await expect(page).toHaveURL('/dashboard')

    await page.unroute(PAY)
    const PAYMENT = '/api/checkout/open/payment'
    const over = 'This payment is no longer open. Choose a plan to start a new one.'
    await page.route(PAYMENT, (route) =>
      route.fulfill({ status: 404, json: { message: over, code: 'checkout_not_found' } }),
    )
    await page.goto(PAYMENT_STEP)
    await expect(page.getByRole('heading', { name: 'There is nothing to pay here' })).toBeVisible()
    await expect(page.getByText(over)).toBeVisible()
    await page.getByRole('link', { name: 'Back to Plans' }).click()
    await expect(page).toHaveURL('/subscription')

    const down = 'The payment service is not answering right now.'
    await page.route(PAYMENT, (route) =>
      route.fulfill({ status: 503, json: { message: down, code: 'payments_unavailable' } }),
    )
    await page.goto(PAYMENT_STEP)
    const fault = page.getByRole('alert')
    await expect(fault).toContainText('The payment could not be loaded')
    await expect(fault).toContainText(down)
    await openPayment(page)
    await page.getByRole('button', { name: 'Try again' }).click()

    await fillCard(page, PAYS)
    await page.route(PAY, (route) =>
      route.fulfill({ status: 401, json: { message: 'Unauthorized', code: 'unauthorized' } }),
    )
    await context.clearCookies()
    await subscribe(page).click()
    await page.waitForURL(`/api/login?returnTo=${encodeURIComponent(PAYMENT_STEP)}`)
  })
})
