import type { Locator } from '@playwright/test'
import { unzipSync } from 'fflate'
import { pdfSheets } from '../support/pdf-sheets.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'

test('twenty codes and their labels take five clicks anywhere', async ({ page, member }) => {
  const account = await member()
  await page.goto('/dashboard?series')
  const dialog = page.getByRole('dialog', { name: 'Create a series' })
  await expect(dialog.getByText('Your plan has 3 QR codes left.').first()).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Create 20 QR codes' })).toBeDisabled()
  await dialog.getByText('A list', { exact: true }).click()
  await dialog.getByLabel('Name').fill('{value}')
  await dialog.getByLabel('One line for each QR code').fill('Bar, https://example.com/bar\nHall')
  await expect(dialog.getByRole('listitem').last()).toContainText('Must be a valid URL')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await dialog.getByLabel('Destination').fill('https://example.com/{value}')
  await dialog.getByRole('button', { name: 'Create 2 QR codes' }).click()
  await expect(page.getByRole('dialog', { name: 'Your 2 codes are ready' })).toBeVisible()

  await account.subscribe('unlimited')
  const all = page.getByRole('dialog', { name: 'Your 20 codes are ready' })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    let clicks = 0
    const click = (target: Locator) => {
      clicks++
      return target.click()
    }
    await click(page.getByRole('button', { name: 'Create a series' }))
    await click(dialog.getByLabel('Name'))
    await page.keyboard.type('Τραπέζι {n}')
    await click(dialog.getByLabel('Destination'))
    await page.keyboard.type('cafe.example/menu?table={n}')
    await expect(dialog.getByRole('listitem')).toHaveCount(20)
    const wanted = 'Τραπέζι 20https://cafe.example/menu?table=20'
    await expect(dialog.getByRole('listitem').last()).toContainText(wanted)
    await click(dialog.getByRole('button', { name: 'Create 20 QR codes' }))
    const labels = all.getByRole('button', { name: 'Labels (PDF)' })
    const pdf = await savedBy(page, () => click(labels))
    expect(await pdfSheets(pdf)).toHaveLength(1)
    expect(clicks).toBe(5)
  }
  const zipped = all.getByRole('button', { name: 'All pictures (ZIP)' })
  const files = unzipSync(await savedBy(page, () => zipped.click()))
  expect(Object.keys(files)).toHaveLength(40)
  await all.getByRole('button', { name: 'Done' }).click()
  await expect(all).toBeHidden()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Τραπέζι 7', { exact: true }).first()).toBeVisible()
})
