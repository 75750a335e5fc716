import { expect, test } from './fixtures.ts'
import { expectToast, openCode, row } from './screens.ts'

const STALE = 'This page is older than the server. Reload it and try again.'

test.use({ expected: /ERR_FAILED/ })

test('a tab older than the server says so where a zip of many is asked for', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.route(/\/assets\/zip-of-many-/, (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('checkbox', { name: 'Select Poster' }).check()
  await page.getByRole('button', { name: 'Download as zip' }).click()
  await expectToast(page, 'Error', STALE)
  await expect(page.getByRole('button', { name: 'Download as zip' })).toBeEnabled()
})

test('a tab older than the server says so where the engine draws, and the form still saves', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.route(/\/assets\/(encode|svg)-/, (route) => route.abort())
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await expectToast(page, 'Error', STALE)
  await dialog.getByRole('button', { name: 'Printing options' }).click()
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(row(page, 'Flyer')).toBeVisible()
})
