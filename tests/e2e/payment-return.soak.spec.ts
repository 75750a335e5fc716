import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { providerHas } from './payments.ts'
import { expectToast, figure, toasts } from './screens.ts'

const REFRESH = '/api/user/subscription/refresh'
const UNDER_WAY = 'Your payment is being processed. Please reload the page in a moment.'

// A rejection that nothing handles would be another error of the page.
test.use({ expected: /ERR_FAILED|status of 503|^503:/ })

test('each result of a payment is shown once', async ({ page, member }) => {
  const account = await member()
  let asked = await providerHas(page, account, { tier: 'professional' })
  await page.goto('/profile')
  const entries = await page.evaluate(() => window.history.length)
  const secret = 'payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2'
  await page.goto(`/dashboard?${secret}&redirect_status=succeeded&other=1`)
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page).toHaveURL('/dashboard?other=1')
  await expect(page.getByText('PROFESSIONAL', { exact: true })).toBeVisible()
  await expect(figure(page, 'Plan Usage')).toHaveText('0/10 QR codes')
  expect(asked.times).toBe(1)
  expect(await page.evaluate(() => window.history.length)).toBe(entries + 1)

  await page.reload()
  await expect(figure(page, 'Plan Usage')).toHaveText('0/10 QR codes')
  expect(asked.times).toBe(1)
  await expect(toasts(page)).toHaveCount(0)

  await page.goto('/dashboard?redirect_status=failed&payment_intent=pi_1')
  await expectToast(page, 'Payment Failed', 'Your payment wasn’t completed. Nothing was charged.')
  await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
  await expect(page).toHaveURL('/dashboard')
  expect(asked.times).toBe(1)

  await page.unroute(REFRESH)
  asked = await providerHas(page, account, { tier: 'unlimited' })
  await page.goto('/profile?payment=changed')
  await expect(page.getByRole('main').getByText('UNLIMITED', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/profile')
  expect(asked.times).toBe(1)
  await expect(toasts(page)).toHaveCount(0)

  await page.unroute(REFRESH)
  await providerHas(page, account, { tier: 'professional', status: 'incomplete' })
  await page.goto('/dashboard?payment=success')
  await expectToast(page, 'Thank you', UNDER_WAY)
  await expect(page.getByText('FREE', { exact: true })).toBeVisible()

  await page.unroute(REFRESH)
  await refuse(page, REFRESH, 503)
  await page.goto('/dashboard?payment=success')
  await expectToast(page, 'Thank you', UNDER_WAY)
  await page.goto('/profile?payment=changed')
  await expectToast(page, 'Error', 'We couldn’t load your new plan. Please reload the page.')
  await expect(page).toHaveURL('/profile')

  await page.route(/\/assets\/payment-return-/, (route) => route.abort())
  await page.goto('/dashboard?payment=success')
  const stale = 'There’s a newer version of this page. Reload it and try again.'
  await expectToast(page, 'Error', stale)
  await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
})
