import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  editing,
  expectToast,
  fillIn,
  goToCode,
  leaveReady,
  openCode,
  openNewCode,
  saveAndClose,
} from './screens.ts'

const styles = (page: Page) => page.getByRole('radiogroup', { name: 'My designs' })

async function fromMenu(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More for design ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('a style is saved, used, renamed, given to codes and deleted', async ({ page, member }) => {
  const owner = await member({ tier: 'professional' })
  for (const name of ['Plain', 'Bare', 'Menu']) await owner.code({ name })
  const dialog = await goToCode(page, 'Menu')
  await dialog.getByRole('radio', { name: /^Rounded/ }).click()
  await dialog.getByRole('radio', { name: /^Ocean/ }).click()
  await dialog.getByRole('button', { name: 'Save this design' }).click()
  const name = dialog.getByRole('textbox', { name: 'Design name' })
  await expect(name).toBeFocused()
  await name.press('Enter')
  await expect(dialog.getByText('Name is required')).toBeVisible()
  await name.fill('House')
  await name.press('Enter')
  await expectToast(page, 'Success', 'Design “House” saved')
  await expect(styles(page).getByRole('radio', { name: 'House' })).toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Save this design' })).toBeFocused()

  await dialog.getByRole('radio', { name: /^Gold/ }).click()
  await dialog.getByRole('radio', { name: /^Classic Sharp/ }).click()
  await expect(styles(page).getByRole('radio', { name: 'House' })).not.toBeChecked()
  await styles(page).getByRole('radio', { name: 'House' }).click()
  await expect(dialog.getByLabel('Foreground color')).toHaveValue('#1e40af')
  await expect(dialog.getByRole('radio', { name: /^Rounded/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Undo the last design change' }).click()
  await expect(dialog.getByRole('radio', { name: /^Gold/ })).toBeChecked()
  await styles(page).getByRole('radio', { name: 'House' }).click()

  await fromMenu(page, 'House', 'Use for new codes')
  await expectToast(page, 'Success', 'New codes start with “House”')
  await fromMenu(page, 'House', 'Rename')
  const renamed = dialog.getByRole('textbox', { name: 'New name of “House”' })
  await renamed.fill('Brand')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect(styles(page).getByRole('radio', { name: 'Brand For new codes' })).toBeVisible()
  await saveAndClose(dialog)

  const fresh = await openNewCode(page)
  await expect(styles(page).getByRole('radio', { name: 'Brand' })).toBeChecked()
  await fillIn(fresh, 'Poster', 'https://example.com/poster')
  await fresh.getByRole('button', { name: 'Save QR Code' }).click()
  await leaveReady(page)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Apply a design' }).click()
  const choosing = page.getByRole('dialog', { name: 'Apply a design' })
  const change = choosing.getByRole('button', { name: 'Change 4 QR codes' })
  await expect(change).toBeDisabled()
  await choosing.getByRole('radio', { name: 'Brand' }).click()
  await change.click()
  await expect(choosing).toBeHidden()
  await expectToast(page, 'Success', '2 QR codes now have the design “Brand”')

  await openCode(page, 'Plain')
  await expect(styles(page).getByRole('radio', { name: 'Brand' })).toBeChecked()
  await fromMenu(page, 'Brand', 'Delete')
  await page
    .getByRole('dialog', { name: 'Delete this design?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expectToast(page, 'Success', 'Design “Brand” deleted')
  await expect(editing(page).getByText('Save this design to reuse it')).toBeVisible()
})
