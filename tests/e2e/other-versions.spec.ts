import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openPayment, PAYMENT_STEP } from './payments.ts'
import { openCode } from './screens.ts'

/* A tab outlives a deploy: the server that answers may be older or newer than the page. */

// What React says of a part that it could not draw.
test.use({ expected: /TypeError|error occurred in|Minified React error/ })

/** From now on these answers differ from those of this server's version. */
async function changeAnswer(page: Page, url: string, change: object) {
  await page.route(url, async (route) => {
    const answer = await (await route.fetch()).json()
    await route.fulfill({ json: { ...answer, ...change } })
  })
}

const alert = (page: Page) => page.getByRole('alert')

test('somebody whose server names no plan is on the free one', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await changeAnswer(page, '/api/auth/user', { subscriptionTier: undefined })
  for (const path of ['/profile', '/dashboard']) {
    await page.goto(path)
    await expect(page.getByRole('banner')).toContainText('FREE')
    await expect(alert(page)).toHaveCount(0)
  }
  await openCode(page, 'Poster')
})

test('a page that does not know the plan says so and offers to reload', async ({
  page,
  member,
}) => {
  await member()
  await changeAnswer(page, '/api/user/subscription', { tier: 'gold' })
  await page.goto('/profile')
  await expect(alert(page)).toContainText('This page could not be shown')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
})

test('a payment for a plan that the page does not know leaves the page around it', async ({
  page,
  member,
}) => {
  await member()
  await openPayment(page, { tier: 'gold' as 'starter' })
  await page.goto(PAYMENT_STEP)
  await expect(alert(page)).toContainText('The payment could not be shown')
  await expect(page.getByRole('banner')).toContainText('Ada')
})

test("a proxy's page instead of an answer is no answer", async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.route('/api/qr-codes', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Accept our terms</h1>' }),
  )
  await page.goto('/dashboard')
  await expect(alert(page)).toContainText('Your QR codes could not be loaded')
  await expect(alert(page)).toContainText('The server did not answer as expected.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await openCode(page, 'Poster')
})
