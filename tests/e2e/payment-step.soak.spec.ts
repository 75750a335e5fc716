import type { Page } from '@playwright/test'
import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { openPayment, PAYMENT_STEP, providerHas } from './payments.ts'
import { expectToast } from './screens.ts'
import { chooseCard, DECLINED, PAYS } from './test-card.ts'

const PAYMENT = '/api/checkout/open/payment'
const PAY = '/api/checkout/open/page'

const subscribe = (page: Page) => page.getByRole('button', { name: 'Subscribe to Professional' })
const backToPlans = (page: Page) => page.getByRole('link', { name: 'Back to Plans' })

test.use({ expected: /status of (401|402|404|503)|^503:/ })

test('a user reads the order, pays, and can try again', async ({ page, context, member }) => {
  const account = await member()
  await account.code()
  await openPayment(page)
  await test.step('the order says what is due and what it changes', async () => {
    await page.goto(PAYMENT_STEP)
    const order = page.getByRole('region', { name: 'Order summary' })
    await expect(order.getByRole('term')).toHaveText(['Professional', 'Billed', 'Due today'])
    await expect(order.getByRole('definition')).toHaveText([
      '$6.99/month',
      '$83.88 annually',
      '$83.88',
    ])
    await expect(order).toContainText('Renews at $83.88 every year.')
    await expect(order.getByRole('listitem')).toHaveCount(3)
    await backToPlans(page).click()
    await expect(page).toHaveURL('/subscription?tier=professional&billing=annual')
    await expect(page.getByRole('button', { name: /^Choose / })).toHaveCount(3)
    await expect(page.getByRole('button', { name: 'Choose Professional' })).toBeFocused()
    await page.goBack()
  })

  await test.step('after a declined card another one pays', async () => {
    const message = 'Your card was declined. Nothing was charged.'
    await refuse(page, PAY, 402, 'card_declined', message)
    await chooseCard(page, DECLINED)
    await subscribe(page).click()
    await expectToast(page, 'Payment Failed', message)
    await expect(subscribe(page)).toBeFocused()

    const asked = await providerHas(page, account, { tier: 'professional' })
    const held = Promise.withResolvers<void>()
    await page.route(PAY, async (route) => {
      expect(route.request().postDataJSON()).toEqual({ action: 'pay', card: 'pays' })
      await held.promise
      await route.fulfill({ json: { kind: 'done', returnTo: '/dashboard?payment=success' } })
    })
    await chooseCard(page, PAYS)
    await subscribe(page).click()
    const busy = page.getByRole('button', { name: 'Processing...' })
    await expect(busy).toHaveAttribute('aria-disabled', 'true')
    await busy.press('Enter')
    expect(asked.times).toBe(0)
    held.resolve()
    await expectToast(page, 'Payment Successful', 'You are now subscribed!')
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
    expect(asked.times).toBe(1)
  })

  await test.step('a payment that is over leads to the plans, and a failed load begins again', async () => {
    await refuse(page, PAYMENT, 404, 'checkout_not_found', 'This payment is no longer open.')
    await page.goto(PAYMENT_STEP)
    await expect(page.getByRole('heading', { name: 'There’s nothing to pay here' })).toBeVisible()
    await expect(page.getByText('This payment is no longer open.')).toBeVisible()
    await backToPlans(page).click()
    await expect(page).toHaveURL('/subscription')

    await refuse(page, PAYMENT, 503, 'payments_unavailable', 'The payment service is down.')
    await page.goto(PAYMENT_STEP)
    const fault = page.getByRole('alert')
    await expect(fault).toContainText('The payment couldn’t be loaded')
    await expect(fault).toContainText('The payment service is down.')
    await openPayment(page, { billing: 'monthly', amount: 849 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Renews at $8.49 every month.')).toBeVisible()
  })

  await chooseCard(page, PAYS)
  await refuse(page, PAY, 401, 'unauthorized', 'Unauthorized')
  await context.clearCookies()
  await subscribe(page).click()
  await page.waitForURL(`/api/login?returnTo=${encodeURIComponent(PAYMENT_STEP)}`)
})
