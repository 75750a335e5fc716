import type { Page } from '@playwright/test'
import type { Subscription } from '../../src/contract/billing/billing.ts'
import { expect, test } from './fixtures.ts'
import { dayText } from './screens.ts'
import { ASKS, buyPlan, chooseCard, choosePlan, DECLINED, openPortal, PAYS } from './test-card.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function subscriptionOf(page: Page): Promise<Subscription> {
  return (await page.request.get('/api/user/subscription')).json()
}

// The page takes the result out of its address as soon as it has read it.
const SUCCESS = /\/dashboard(\?payment=success)?$/
const CHANGED = /\/profile(\?payment=changed)?$/

const DECLINED_TEXT = 'Your card was declined. Nothing was charged.'

test.use({ expected: /status of (402|404|502)|^502:/ })

test('a user pays with a test card after one that is declined', async ({ page, member }) => {
  await member()
  await page.goto('/subscription')
  await button(page, 'Choose Professional').click()
  await page.waitForURL(/\/api\/checkout\//)
  await expect(page).toHaveTitle('Pay for Professional – Tessera')
  await expect(page.getByRole('banner')).toContainText('Test mode')
  const order = region(page, 'Order summary')
  await expect(order).toContainText('Due today$83.88')
  await expect(order).toContainText('Then $83.88 a year')
  const payment = page.url()
  await test.step('a declined card is not charged', async () => {
    await chooseCard(page, DECLINED)
    await button(page, /^Pay/).click()
    await expect(page.getByRole('alert')).toHaveText(DECLINED_TEXT)
    await expect(button(page, /^Pay/)).toBeFocused()
    expect(await subscriptionOf(page)).toMatchObject({ tier: 'free' })
  })

  await chooseCard(page, ASKS)
  const bank = page.getByRole('dialog', { name: 'Confirm your payment' })
  await button(page, 'Pay $83.88').click()
  await bank.getByRole('button', { name: 'Decline' }).click()
  await expect(page.getByRole('alert')).toHaveText(DECLINED_TEXT)
  await button(page, 'Pay $83.88').click()
  await bank.getByRole('button', { name: 'Confirm' }).click()
  await expect(page).toHaveURL(SUCCESS)
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional', status: 'active' })

  await page.goto(payment)
  await expect(heading(page)).toHaveText('This payment is no longer open')
  await page.getByRole('link', { name: 'Choose a plan' }).click()
  await expect(page).toHaveURL('/subscription')
})

test('a change of plan shows its cost and is paid', { tag: '@soak' }, async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Starter', 'Annual', 'fails_later')
  await page.route(/\/page$/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await choosePlan(page, 'Professional')
  await expect(page.getByRole('alert')).toContainText('The payment couldn’t be loaded')
  await page.unroute(/\/page$/)
  await button(page, 'Try again').click()
  await expect(heading(page)).toHaveText('Change to Professional')
  const costs = region(page, 'Order summary')
  await expect(costs).toContainText('You can have 10 QR codes instead of 3.')
  await expect(costs).toContainText('Unused part of Starter, billed annually−$47.88')
  await expect(costs).toContainText('Due today$36.00')
  await button(page, 'Confirm and pay $36.00').click()
  await expect(page.getByRole('alert')).toHaveText(DECLINED_TEXT)
  await expect(page.getByRole('radio', { name: PAYS })).toBeFocused()
  await chooseCard(page, PAYS)
  await button(page, 'Pay $36.00 with this card').click()
  await expect(page).toHaveURL(CHANGED)
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional', qrCodeLimit: 10 })

  await test.step('the invoice opens to be printed, and says that it is a test', async () => {
    await page.goto('/profile')
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'TEST-0002 opens in a new tab' }).click()
    const invoice = await opened
    await expect(heading(invoice)).toHaveText('Invoice TEST-0002')
    await expect(invoice.getByRole('note')).toContainText('Test mode: no money changed hands')
    await expect(region(invoice, 'Tessera')).toContainText(
      'Professional, billed annually$83.88Unused part of your previous plan−$47.88Total$36.00',
    )
    await expect(button(invoice, 'Print')).toBeVisible()
    await invoice.emulateMedia({ media: 'print' })
    await expect(invoice.getByRole('link', { name: 'Back to your profile' })).toBeHidden()
    await invoice.close()
  })

  await choosePlan(page, 'Starter')
  await expect(costs).toContainText(/Starter, billed annually, from .*Due today\$0\.00/)
  await button(page, 'Confirm change').click()
  await expect(page).toHaveURL(CHANGED)
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional' })
})

test('the test clock renews and ends a plan', { tag: '@soak' }, async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Starter', 'Monthly', 'fails_later')
  await openPortal(page)
  const clock = region(page, 'Advance the test clock')
  const rows = page.getByRole('table').getByRole('row')
  await expect(clock.getByRole('status')).toHaveText(dayText(new Date()))
  await expect(rows).toHaveCount(2)
  await clock.getByRole('button', { name: 'To the end of the period' }).click()
  const plan = region(page, 'Your plan')
  await expect(plan.getByRole('status')).toContainText('The last payment failed.')
  await expect(rows).toHaveCount(2)
  expect(await subscriptionOf(page)).toMatchObject({ status: 'past_due', tier: 'starter' })

  const card = region(page, 'Your card')
  await expect(card.getByRole('status').first()).toContainText('0341 succeeds once, then fails')
  await chooseCard(page, PAYS)
  await card.getByRole('button', { name: 'Replace card' }).click()
  await expect(card.getByRole('status').first()).toHaveText(`${PAYS} succeeds`)
  await expect(rows).toHaveCount(3)
  await expect(plan.getByRole('status')).toContainText('Renews on')

  await clock.getByRole('button', { name: 'To the end of the period' }).click()
  await expect(rows).toHaveCount(4)
  const question = page.getByRole('dialog', { name: 'Cancel your plan?' })
  const cancel = async () => {
    await button(page, 'Cancel plan').click()
    await question.getByRole('button', { name: 'Cancel plan' }).click()
    await expect(plan.getByRole('status')).toContainText('and won’t renew.')
    await expect(button(page, 'Resume plan')).toBeFocused()
  }
  await cancel()
  await page.keyboard.press('Enter')
  await expect(plan.getByRole('status')).toContainText(/^Renews on .* for \$4\.99 a month\.$/)
  expect(await subscriptionOf(page)).toMatchObject({ status: 'active' })
  await cancel()
  await clock.getByRole('button', { name: 'One month' }).click()
  await expect(plan.getByRole('status')).toHaveText('This plan has ended.')
  await expect(clock.getByRole('button', { name: 'To the end of the period' })).toHaveCount(0)
  expect(await subscriptionOf(page)).toMatchObject({ status: 'canceled' })
})
