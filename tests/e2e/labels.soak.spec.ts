import { averySheets } from '../../src/contract/labels/avery-sheets.ts'
import { placesOn } from '../support/label-places.ts'
import { pdfSheets } from '../support/pdf-sheets.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'

test('labels are printed on a sheet that was begun', async ({ page, member, server }) => {
  const account = await member({ tier: 'unlimited' })
  const first = await account.code({ name: 'Hall' })
  await account.code({ name: 'Bar' })
  const dialog = page.getByRole('dialog', { name: 'Print labels' })
  await page.goto('/dashboard')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Print labels' }).click()
  await dialog.getByText('Avery sheets', { exact: true }).click()
  await dialog.getByText('A4', { exact: true }).click()
  await dialog.getByRole('combobox', { name: 'Sheet' }).selectOption('L7159')
  await dialog.getByLabel('First free label').fill('3')
  await dialog.getByText('A list', { exact: true }).click()
  await dialog.getByLabel('One line per QR code').fill('hall\tPodaj dłoń\nbar\tSit here')
  await expect(dialog.getByText('Text for all 2 QR codes.')).toBeVisible()
  const wanted = '2 labels on 1 sheet. Each code is 1.14\u00a0in wide'
  await expect(dialog.getByRole('status').last()).toContainText(wanted)
  await expect(
    dialog.getByRole('img', { name: 'First sheet: 2 of 24 labels are printed' }),
  ).toContainText('Sit here')
  const labels = dialog.getByRole('button', { name: 'Labels (PDF)' })
  const [sheet] = await pdfSheets(await savedBy(page, () => labels.click()))
  // The list begins with the newest code.
  const { code, name } = placesOn(averySheets.L7159.sheet, 3)
  expect(await sheet?.codeIn(code)).toBe(`${server.origin}/qr/${first.shortCode}`)
  expect(name && sheet?.inkIn(name)).toBeDefined()

  await dialog.getByText('Custom size', { exact: true }).click()
  await dialog.getByLabel('Label height').fill('0.47')
  await expect(labels).toBeDisabled()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Print labels' })).toBeFocused()
})
