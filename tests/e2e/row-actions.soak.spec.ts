import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { choose, editing, expectToast, moreOf, row } from './screens.ts'

const action = (page: Page, code: string, name: string) =>
  row(page, code).getByRole('button', { name, exact: true })

test.use({ permissions: ['clipboard-read', 'clipboard-write'], expected: /status of 403/ })

test('a row copies, opens, downloads a code', async ({ page, member, server, destination }) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = `poster-${process.pid}-${Date.now()}`
  await account.code({ name: 'Flyer', style: 'rounded' })
  await account.code({ name: 'Poster', url: `${destination.origin}/poster`, vanityUrl })
  await page.goto('/dashboard')
  const copy = action(page, 'Poster', 'Copy link of Poster')
  await copy.click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${server.origin}/qr/${vanityUrl}`)

  await moreOf(page, 'Poster').click()
  const link = page.getByRole('menuitem', { name: 'Open short link Poster', exact: true })
  await expect(link).toHaveAttribute('href', new RegExp(`/qr/${vanityUrl}$`))
  await expect(link).toHaveAttribute('rel', 'noreferrer')
  const opened = page.waitForEvent('popup')
  await link.click()
  await expect((await opened).getByRole('heading', { name: '/poster' })).toBeVisible()

  const zip = await savedBy(page, () => choose(page, 'Flyer', 'Download all as zip'))
  expect(Object.keys(unzipSync(zip)).sort()).toEqual(['Flyer.jpg', 'Flyer.png', 'Flyer.svg'])

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  })
  await copy.click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await expect(copy).toBeFocused()

  await choose(page, 'Poster', 'Duplicate')
  await expectToast(page, 'Success', '“Poster” duplicated as “Poster (copy)”')
  // The copy opens by itself, so that its name can be typed over.
  await expect(editing(page).getByLabel('QR Code Name')).toHaveValue('Poster (copy)')
  await expect(editing(page).getByLabel('QR Code Name')).toBeFocused()
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe('Poster (copy)')
  await expect(editing(page).getByLabel('Custom URL (Optional)')).toHaveValue('')

  await account.code({ name: 'Third' })
  await account.subscribe('starter')
  await page.goto('/dashboard')
  await choose(page, 'Third', 'Duplicate')
  await expect(page.getByRole('alert')).toContainText('Your Starter plan includes 3 QR codes')
  await expect(row(page, 'Third (copy)')).toHaveCount(0)
})
