import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { giveFile, savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { arrival } from './scan.ts'
import { row } from './screens.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import QR codes' })

/** A spreadsheet of these lines. */
const sheet = (lines: string[]) => ({
  name: 'rooms.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})

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
  await giveFile(page, first, sheet([header, ...rows]))
  await expect(dialog.getByRole('row', { name: 'Yard' })).toContainText('Must be a valid URL')
  await expect(dialog.getByText('1 has an error')).toBeVisible()
  await expect(page).toHaveURL(/\?import=/)
  await page.reload()
  const again = dialog.getByRole('button', { name: 'Choose the changed file' })
  const corrected = [header, ...rows.slice(0, 2), 'Yard;example.com/yard;;']
  await giveFile(page, again, sheet(corrected))
  const make = dialog.getByRole('button', { name: 'Make 3 QR codes' })
  await expect(make).toBeEnabled()
  const tags = dialog.getByRole('combobox', { name: 'Tags' })
  await tags.fill('Rooms')
  await tags.press('Enter')
  await make.click()
  await expect(dialog.getByRole('heading', { name: '3 QR codes made' })).toBeVisible()
  const zip = dialog.getByRole('link', { name: 'Download pictures (ZIP)' })
  expect(Object.keys(unzipSync(await savedBy(page, () => zip.click())))).toHaveLength(6)
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
  const lines = (await savedBy(page, () => exported.click())).toString().trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('https://example.com/hall,Hall,')
})
