import { expect, test } from './fixtures.ts'
import { providerHas } from './payments.ts'
import { expectToast, figure, toasts } from './screens.ts'

const REFRESH = '/api/user/subscription/refresh'
const UNDER_WAY = 'Your payment is being processed. Please reload the page in a moment.'

for (const parameters of [
  'payment=success',
  'payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=succeeded',
]) {
  test(`somebody who comes back with ${parameters} finds their plan`, async ({ page, member }) => {
    const account = await member()
    const asked = await providerHas(page, account, { tier: 'professional' })
    await page.goto('/profile')
    const places = await page.evaluate(() => window.history.length)
    await page.goto(`/dashboard?${parameters}`)
    await expectToast(page, 'Payment Successful', 'You are now subscribed!')
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
    await expect(figure(page, 'Plan Usage')).toHaveText('0/10 QR codes')
    expect(asked.times).toBe(1)
    expect(await page.evaluate(() => window.history.length)).toBe(places + 1)

    await page.reload()
    await expect(figure(page, 'Plan Usage')).toHaveText('0/10 QR codes')
    expect(asked.times).toBe(1)
    await expect(toasts(page)).toHaveCount(0)
  })
}

test('a payment that failed elsewhere is told, and nothing is asked', async ({ page, member }) => {
  const account = await member()
  const asked = await providerHas(page, account, { tier: 'professional' })
  await page.goto('/dashboard?redirect_status=failed&payment_intent=pi_1&other=1')
  await expectToast(page, 'Payment Failed', 'Your payment was not made. Nothing was charged.')
  await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
  await expect(page).toHaveURL('/dashboard?other=1')
  expect(asked.times).toBe(0)
})

test('a payment that is not through yet is said to be under way', async ({ page, member }) => {
  const account = await member()
  await providerHas(page, account, { tier: 'professional', status: 'incomplete' })
  await page.goto('/dashboard?payment=success')
  await expectToast(page, 'Thank you', UNDER_WAY)
  await expect(page.getByText('FREE', { exact: true })).toBeVisible()
})

test('a change of plan shows on the profile without a word', async ({ page, member }) => {
  const account = await member()
  await account.pay('starter')
  const asked = await providerHas(page, account, { tier: 'unlimited' })
  await page.goto('/profile?payment=changed')
  await expect(page.getByRole('main').getByText('UNLIMITED', { exact: true })).toBeVisible()
  await expect(page.getByText('Unlimited, billed annually.')).toBeVisible()
  await expect(page).toHaveURL('/profile')
  expect(asked.times).toBe(1)
  await expect(toasts(page)).toHaveCount(0)
})

test.describe('to a tab that is older than the server', () => {
  // Nothing else: a rejection that nobody handles would be an error of the page.
  test.use({ expected: /ERR_FAILED/ })

  test('a payment is not shown, and the person is told to reload', async ({ page, member }) => {
    await member()
    await page.route(/\/assets\/payment-return-/, (route) => route.abort())
    await page.goto('/dashboard?payment=success')
    const stale = 'This page is older than the server. Reload it and try again.'
    await expectToast(page, 'Error', stale)
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
  })
})

test.describe('while the provider does not answer', () => {
  test.use({ expected: /status of 503|^503:/ })

  test('a payment is said to be under way', async ({ page, member }) => {
    await member()
    await page.route(REFRESH, (route) => route.fulfill({ status: 503, body: 'no' }))
    await page.goto('/dashboard?payment=success')
    await expectToast(page, 'Thank you', UNDER_WAY)
    await expect(page).toHaveURL('/dashboard')
  })

  test('somebody back from a change is told that it is not shown yet', async ({ page, member }) => {
    await member()
    await page.route(REFRESH, (route) => route.fulfill({ status: 503, body: 'no' }))
    await page.goto('/profile?payment=changed')
    await expectToast(page, 'Error', 'Your plan could not be read anew. Please reload the page.')
    await expect(page).toHaveURL('/profile')
  })
})
