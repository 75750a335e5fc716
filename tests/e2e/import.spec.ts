import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { expect, test } from './fixtures.ts'
import { arrival } from './scan.ts'
import { row } from './screens.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import QR codes' })

/** Chooses a file of these lines by a button. */
async function choose(page: Page, button: Locator, name: string, lines: string[]) {
  const chooser = page.waitForEvent('filechooser')
  await button.click()
  const buffer = Buffer.from(lines.join('\r\n'))
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}

async function saved(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const started = page.waitForEvent('download')
  await press()
  return readFile(await (await started).path())
}

test('a spreadsheet is corrected, imported and exported', async ({ page, member }) => {
  await member({ tier: 'unlimited' })
  await page.goto('/dashboard')
  const opener = page.getByRole('button', { name: 'Import', exact: true })
  await opener.click()
  const dialog = importDialog(page)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')

  const rows = [
    'Bar;example.com/bar;;Spring',
    'Hall;https://example.com/hall;our-hall;',
    'Yard;nowhere;;',
  ]
  const header = 'Name;Destination;Custom URL;Tags'
  const first = dialog.getByRole('button', { name: 'Choose a CSV file' })
  await choose(page, first, 'rooms.csv', [header, ...rows])
  await expect(dialog.getByRole('row', { name: 'Yard' })).toContainText('Must be a valid URL')
  await expect(dialog.getByText('1 has an error')).toBeVisible()
  await expect(page).toHaveURL(/\?import=/)
  await page.reload()
  const again = dialog.getByRole('button', { name: 'Choose the changed file' })
  await choose(page, again, 'rooms.csv', [header, ...rows.slice(0, 2), 'Yard;example.com/yard;;'])
  const make = dialog.getByRole('button', { name: 'Make 3 QR codes' })
  await expect(make).toBeEnabled()
  const tags = dialog.getByRole('combobox', { name: 'Tags' })
  await tags.fill('Rooms')
  await tags.press('Enter')
  await make.click()
  await expect(dialog.getByRole('heading', { name: '3 QR codes made' })).toBeVisible()
  const zip = dialog.getByRole('link', { name: 'Download pictures (ZIP)' })
  expect(Object.keys(unzipSync(await saved(page, () => zip.click())))).toHaveLength(6)
  await dialog.getByRole('button', { name: 'Show the list' }).click()
  await expect(page).toHaveURL(/\?tag=Rooms$/)
  await expect(row(page, 'Bar').getByRole('listitem')).toHaveText(['Rooms', 'Spring'])
  expect(await arrival(page, '/qr/our-hall')).toEqual({
    status: 302,
    to: 'https://example.com/hall',
  })

  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('hall')
  await expect(row(page, 'Bar')).toBeHidden()
  const exported = page.getByRole('button', { name: 'Export', exact: true })
  const lines = (await saved(page, () => exported.click())).toString().trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('https://example.com/hall,Hall,')
})
