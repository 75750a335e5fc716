import type { Page } from '@playwright/test'
import { changeAnswer } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { openPayment, PAYMENT_STEP } from './payments.ts'
import { scan } from './scan.ts'
import { closeToasts, expectToast, openCode, row } from './screens.ts'

/* A tab outlives a deploy: the server that answers may be older or newer than the page. */

// The browser's and React's own lines about a part that did not come or could not be drawn.
test.use({
  expected:
    /ERR_FAILED|dynamically imported module|Unable to preload CSS|Cannot convert|TypeError|error occurred in|Minified React error/,
})

const STALE = 'There’s a newer version of this page. Reload it and try again.'

const alert = (page: Page) => page.getByRole('alert')

test('a tab older than the server shows the rest and still saves', async ({ page, member }) => {
  const { shortCode } = await (await member()).code({ name: 'Poster' })
  await scan(page, shortCode)
  await page.route(/\/assets\/(zip-of-many|engine|scans-chart|profile-page)-/, (route) =>
    route.abort(),
  )
  await page.goto('/dashboard')
  const overview = page.getByRole('region', { name: 'Scans Overview' })
  await expect(overview.getByRole('alert')).toContainText('The chart couldn’t be shown')
  await page.getByRole('checkbox', { name: 'Select Poster' }).check()
  await page.getByRole('button', { name: 'Download as zip' }).click()
  await expectToast(page, 'Error', STALE)
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()

  const dialog = await openCode(page, 'Poster')
  await expectToast(page, 'Error', STALE)
  await closeToasts(page)
  await dialog.getByRole('button', { name: 'Printing options' }).click()
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(row(page, 'Flyer')).toBeVisible()

  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(alert(page)).toContainText('This page couldn’t be shown')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeVisible()
})

test('a page says that it cannot show an unknown plan or answer', async ({ page, member }) => {
  const owner = await member()
  await openPayment(page, { tier: 'gold' as 'starter' })
  await page.goto(PAYMENT_STEP)
  await expect(alert(page)).toContainText('The payment couldn’t be shown')
  await expect(page.getByRole('banner')).toContainText('Ada')

  await changeAnswer(page, '/api/user/subscription', { tier: 'gold' })
  await page.goto('/profile')
  await expect(alert(page)).toContainText('This page couldn’t be shown')

  await owner.code({ name: 'Poster' })
  await page.route('/api/qr-codes', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Accept our terms</h1>' }),
  )
  await page.goto('/dashboard')
  await expect(alert(page)).toContainText('Your QR codes couldn’t be loaded')
  await expect(alert(page)).toContainText('The server didn’t answer as expected.')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await openCode(page, 'Poster')
})
