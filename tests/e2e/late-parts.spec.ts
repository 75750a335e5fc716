import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { expectToast, openCode, row } from './screens.ts'

const STALE = 'This page is older than the server. Reload it and try again.'

test.use({
  expected:
    /ERR_FAILED|dynamically imported module|Unable to preload CSS|Cannot convert|TypeError|error occurred in/,
})

test('a tab older than the server says so for a zip of many and for the engine, and still saves', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.route(/\/assets\/(zip-of-many|engine)-/, (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('checkbox', { name: 'Select Poster' }).check()
  await page.getByRole('button', { name: 'Download as zip' }).click()
  await expectToast(page, 'Error', STALE)
  await expect(page.getByRole('button', { name: 'Download as zip' })).toBeEnabled()
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()

  const dialog = await openCode(page, 'Poster')
  await expectToast(page, 'Error', STALE)
  await dialog.getByRole('button', { name: 'Printing options' }).click()
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(row(page, 'Flyer')).toBeVisible()
})

test('a tab older than the server shows everything but the chart, and offers to reload a page', async ({
  page,
  member,
}) => {
  const { shortCode } = await (await member()).code({ name: 'Poster' })
  await scan(page, shortCode)
  await page.route(/\/assets\/(scans-chart|profile-page)-/, (route) => route.abort())
  await page.goto('/dashboard')
  const overview = page.getByRole('region', { name: 'Scans Overview' })
  await expect(overview.getByRole('alert')).toContainText('The chart could not be shown')
  await openCode(page, 'Poster')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('alert')).toContainText('This page could not be shown')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByRole('heading', { name: 'Profile', exact: true })).toBeVisible()
})
