import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { IPHONE } from '../support/visitors.ts'
import { expect, signUp, test } from './fixtures.ts'
import { leaveReady } from './screens.ts'

test.use({ reducedMotion: 'no-preference' })

/** An address that the packaged database places in Germany. */
const IN_GERMANY = '85.214.132.117'

/** Somebody with a phone in Germany follows a link; answers where they arrive. */
async function scan(browser: Browser, link: string): Promise<{ url: string; status: number }> {
  const phone = await browser.newContext({
    userAgent: IPHONE,
    extraHTTPHeaders: { 'x-forwarded-for': IN_GERMANY },
  })
  const page = await phone.newPage()
  const response = await page.goto(link)
  const arrival = { url: page.url(), status: response?.status() ?? 0 }
  await phone.close()
  return arrival
}

async function linkIn(page: Page, dialog: Locator, format: string): Promise<string | null> {
  const started = page.waitForEvent('download')
  await dialog.getByRole('button', { name: format, exact: true }).click()
  const download = await started
  expect(download.suggestedFilename()).toBe(`Menu card.${format.toLowerCase()}`)
  return decodePicture(await readFile(await download.path()))
}

/** The figure that stands under a term, as in the stat cards. */
function figure(scope: Page | Locator, term: string): Locator {
  const name = new RegExp(`^${term}$`)
  return scope.getByRole('term').filter({ hasText: name }).locator('xpath=following-sibling::dd[1]')
}

const row = (page: Page) => page.getByRole('row').filter({ hasText: 'Menu card' })

test('a visitor signs up, prints a code, sees its scan, changes where it leads and deletes it', async ({
  page,
  browser,
  destination,
}) => {
  await page.goto('/')
  await expect(page).toHaveTitle(/Tessera/)
  await page.getByRole('navigation').getByRole('link', { name: 'Get Started' }).click()
  await signUp(page, 'ada@example.com')

  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  const creating = page.getByRole('dialog', { name: 'Create New QR Code' })
  await creating.getByLabel('QR Code Name').fill('Menu card')
  await creating.getByLabel('Destination URL').fill(`${destination.origin}/summer`)
  await creating
    .getByRole('radiogroup', { name: 'Style' })
    .getByRole('radio', { name: 'Rounded' })
    .click()
  await creating.getByRole('radio', { name: 'Ocean' }).click()
  await creating.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(page.getByText('QR code saved successfully!')).toBeVisible()
  await expect(creating).toBeHidden()
  await leaveReady(page)
  await expect(row(page)).toContainText('Active')

  await row(page).getByRole('button', { name: 'Menu card', exact: true }).click()
  const editing = page.getByRole('dialog', { name: 'Edit QR Code' })
  await expect(editing.getByRole('radio', { name: 'Rounded' })).toBeChecked()
  await expect(editing.getByRole('radio', { name: 'Ocean' })).toBeChecked()
  await expect(editing.getByText('No analytics data available yet')).toBeVisible()
  const printed = await linkIn(page, editing, 'PNG')
  expect(printed).toMatch(/^http:\/\/localhost:\d+\/qr\/[a-z0-9]{7}$/)
  expect(await linkIn(page, editing, 'JPG')).toBe(printed)
  const link = printed as string

  expect(await scan(browser, link)).toEqual({ url: `${destination.origin}/summer`, status: 200 })

  await page.reload()
  // The address names the open code: a reload opens it again.
  const stats = editing.getByRole('region', { name: 'Performance Stats' })
  await expect(figure(stats, 'Total')).toHaveText('1')
  await expect(figure(stats, 'Monthly')).toHaveText('1')
  await expect(figure(stats, 'Country')).toHaveText('Germany')
  await expect(figure(stats, 'Device')).toHaveText('Mobile')

  await editing.getByLabel('Destination URL').fill(`${destination.origin}/winter`)
  await editing.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(editing).toBeHidden()
  await expect(figure(page, 'Total Scans')).toHaveText('1')
  expect((await scan(browser, link)).url).toBe(`${destination.origin}/winter`)

  await row(page)
    .getByRole('button', { name: /^More for/ })
    .click()
  await page.getByRole('menuitem', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('QR code deleted successfully')).toBeVisible()
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  expect(await scan(browser, link)).toEqual({ url: link, status: 404 })
})
