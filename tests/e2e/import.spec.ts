import type { Page } from '@playwright/test'
import { someOf } from '../support/soak.ts'
import { giveFile, savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { row } from './screens.ts'

const importDialog = (page: Page) => page.getByRole('dialog', { name: 'Import QR codes' })

/** A spreadsheet of these lines. */
const sheet = (lines: string[]) => ({
  name: 'rooms.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\r\n')),
})

const HEADER = 'Name;Destination;Custom URL;Tags'

test('a spreadsheet is imported, its bad rows left out or corrected', async ({ page, member }) => {
  await member({ tier: 'unlimited' })
  const dialog = importDialog(page)
  const opener = page.getByRole('button', { name: 'Import', exact: true })
  const choose = dialog.getByRole('button', { name: 'Choose a CSV file' })

  // 48 of 50 rows, on a desk in a soak only: Import, the file, 'Import 48 rows'.
  const fifty = Array.from({ length: 50 }, (_, at) => `Table ${at + 1};example.com/${at + 1}`)
  fifty[6] = 'Seven;nowhere'
  fifty[29] = ';example.com/30'
  for (const width of someOf([390, 1440], 2)) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    await opener.click()
    await giveFile(page, choose, sheet([HEADER, ...fifty]))
    await expect(dialog.getByRole('list', { name: 'Rows in this file' })).toHaveText(
      /48 ready\s*2 with errors/,
    )
    await dialog.getByRole('button', { name: 'Import 48 rows' }).click()
    await expect(dialog.getByRole('heading', { name: '48 QR codes created' })).toBeVisible()
    const left = dialog.getByRole('link', { name: 'Download them with their errors' })
    await expect(left).toHaveAttribute('href', /\/rows\.csv\?only=problems$/)
  }

  // A second press, before the dialog has loaded, opens it once only.
  await page.goto('/dashboard')
  await opener.focus()
  await opener.evaluate((button: HTMLElement) => {
    button.click()
    button.click()
  })
  await expect(choose).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await page.keyboard.press('Enter')
  const rows = [
    'Bar;example.com/bar;;Spring',
    'Hall;https://example.com/hall;our-hall;',
    'Yard;nowhere;;',
  ]
  // Its columns have names that say nothing.
  await giveFile(page, choose, sheet(['Wo;Wohin;Ende;Worte', ...rows]))
  await expect(dialog.getByText('Choose the columns first.')).toBeVisible()
  await dialog.getByLabel('Wo', { exact: true }).selectOption('Name')
  await dialog.getByLabel('Wohin').selectOption('Destination')
  await dialog.getByLabel('Ende').selectOption('Custom URL')
  await dialog.getByLabel('Worte').selectOption('Tags')
  await dialog.getByRole('button', { name: 'Update preview' }).click()
  await expect(page).toHaveURL(/\?import=/)
  await expect(dialog.getByText('2 ready')).toBeVisible()
  await page.reload()
  const cell = dialog.getByRole('textbox', { name: 'Destination in row 4' })
  await expect(cell).toHaveAccessibleDescription('Must be a valid URL')
  await cell.fill('example.com/yard')
  await page.keyboard.press('Enter')
  await expect(cell).toHaveAccessibleDescription('')
  await expect(cell).toHaveValue('https://example.com/yard')
  const create = dialog.getByRole('button', { name: 'Import 3 rows' })
  await expect(create).toBeEnabled()
  const tags = dialog.getByRole('combobox', { name: 'Tags' })
  await tags.fill('Rooms')
  await tags.press('Enter')
  await create.click()
  await expect(dialog.getByRole('heading', { name: '3 QR codes created' })).toBeVisible()
  const zip = dialog.getByRole('link', { name: 'Download pictures (ZIP)' })
  await expect(zip).toHaveAttribute('href', /\/pictures\.zip$/)
  await dialog.getByRole('button', { name: 'Show in list' }).click()
  await expect(page).toHaveURL(/\?importId=[^&]+$/)
  await expect(page.getByText(/^3 of \d+ QR codes$/)).toBeVisible()
  await expect(row(page, 'Bar').getByRole('listitem')).toHaveText(['Rooms', 'Spring'])

  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('hall')
  await expect(row(page, 'Bar')).toBeHidden()
  const exported = page.getByRole('button', { name: 'Export', exact: true })
  const table = (await savedBy(page, () => exported.click())).toString()
  expect(table).toMatch(/^[^\n]*\n[^\n]*https:\/\/example\.com\/hall,Hall,[^\n]*\n?$/)
  await page.getByRole('button', { name: 'Imported from rooms.csv' }).click()
  await expect(page).toHaveURL('/dashboard?q=hall')
})
