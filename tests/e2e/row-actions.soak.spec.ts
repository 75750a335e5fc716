import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import type { CodeChange } from '../../src/contract/codes.ts'
import { decodePicture } from '../support/decode.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { choose, editing, expectToast, moreOf, row } from './screens.ts'

const action = (page: Page, code: string, name: string) =>
  row(page, code).getByRole('button', { name, exact: true })

test.use({ permissions: ['clipboard-read', 'clipboard-write'], expected: /status of 403/ })

test('a row copies, opens, downloads a code', async ({ page, member, server, destination }) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = `poster-${process.pid}-${Date.now()}`
  const { shortCode } = await account.code({ name: 'Flyer', style: 'rounded' })
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
  const files = unzipSync(zip)
  expect(Object.keys(files).sort()).toEqual(['Flyer.jpg', 'Flyer.png', 'Flyer.svg'])
  for (const [name, bytes] of Object.entries(files)) {
    const picture = name.endsWith('.svg') ? await sharp(bytes).png().toBuffer() : bytes
    expect(await decodePicture(picture), name).toBe(`${server.origin}/qr/${shortCode}`)
  }

  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
  })
  await copy.click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await expect(copy).toBeFocused()

  const look: CodeChange = {
    url: 'https://example.com/poster',
    style: 'rounded',
    ecc: 'H',
    compact: true,
    foregroundColor: '#166534',
    backgroundColor: '#f0fdf4',
    artwork: null,
    tags: ['Spring'],
  }
  await account.code({ name: 'Menu', vanityUrl: `${vanityUrl}-2`, ...look })
  await page.goto('/dashboard')
  const patched = page.waitForRequest((request) => request.method() === 'PATCH')
  await choose(page, 'Menu', 'Duplicate')
  await expectToast(page, 'Success', '“Menu” duplicated as “Menu (copy)”')
  expect((await patched).postDataJSON()).toEqual({ ...look, name: 'Menu (copy)' })
  // The copy opens by itself, so that its name can be typed over.
  await expect(editing(page).getByLabel('QR Code Name')).toHaveValue('Menu (copy)')
  await expect(editing(page).getByLabel('QR Code Name')).toBeFocused()
  expect(await page.evaluate(() => window.getSelection()?.toString())).toBe('Menu (copy)')
  await expect(editing(page).getByLabel('Custom URL (Optional)')).toHaveValue('')

  await account.code({ name: 'Third' })
  await account.subscribe('starter')
  await page.goto('/dashboard')
  await choose(page, 'Third', 'Duplicate')
  await expect(page.getByRole('alert')).toContainText('Your Starter plan includes 3 QR codes')
  await expect(row(page, 'Third (copy)')).toHaveCount(0)
})
