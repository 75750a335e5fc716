import { expect, test } from './fixtures.ts'
import { expectToast, goToCode, openCode, row } from './screens.ts'

// A name that another tag has.
test.use({ expected: /status of 409/ })

test('codes are tagged and found, tags changed, campaigns written', async ({ page, member }) => {
  const account = await member()
  await account.code({ name: 'Menu' })
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Tag', exact: true })).toBeHidden()
  await openCode(page, 'Menu')
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox', { name: 'Tags' })
  await field.fill('Spring')
  await field.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Remove tag Spring' })).toBeVisible()
  await expect(field).toBeFocused()
  await field.fill('Bar, Gone,')
  await dialog.getByRole('button', { name: 'Remove tag Bar Gone' }).click()
  // A name that is still being typed is saved with the rest.
  await field.fill('Bar')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(row(page, 'Menu').getByRole('listitem')).toHaveText(['Bar', 'Spring'])

  const filter = page.getByRole('combobox', { name: 'Tag', exact: true })
  await filter.selectOption('Spring')
  await expect(row(page, 'Poster')).toBeHidden()
  await expect(page).toHaveURL(/\?tag=Spring$/)
  await page.reload()
  await expect(page.getByText('1 of 2 QR codes')).toBeVisible()
  await filter.selectOption('All tags')

  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await page.getByRole('button', { name: 'Change tags' }).click()
  const several = page.getByRole('dialog', { name: 'Change tags' })
  await expect(several.getByRole('checkbox', { name: 'Spring' })).toHaveJSProperty(
    'indeterminate',
    true,
  )
  await several.getByRole('checkbox', { name: 'Spring' }).check()
  await several.getByRole('textbox', { name: 'New tag' }).fill('Hall')
  await several.getByRole('button', { name: 'Add', exact: true }).click()
  await several.getByRole('button', { name: 'Change 2 QR codes' }).click()
  await expectToast(page, 'Success', 'Tags of 2 QR codes changed')
  await expect(row(page, 'Poster').getByRole('listitem')).toHaveText(['Hall', 'Spring'])
  await expect(row(page, 'Menu').getByRole('listitem')).toHaveText(['Bar', 'Hall', 'Spring'])

  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  const tags = page.getByRole('dialog', { name: 'Tags' })
  await tags.getByRole('button', { name: 'Change tag Spring' }).click()
  await tags.getByLabel('New name of “Spring”').fill('BAR')
  await tags.getByRole('button', { name: 'Save tag' }).click()
  await expect(tags.getByText('You already have a tag with this name.')).toBeVisible()
  await tags.getByLabel('New name of “Spring”').fill('Summer')
  await tags.getByRole('combobox', { name: 'Color' }).selectOption('Red')
  await tags.getByRole('button', { name: 'Save tag' }).click()
  await expect(tags.getByRole('button', { name: 'Change tag Summer' })).toBeFocused()
  await tags.getByRole('button', { name: 'Delete tag Bar' }).click()
  await page
    .getByRole('dialog', { name: 'Delete this tag?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expectToast(page, 'Success', 'Tag “Bar” deleted')
  await page.keyboard.press('Escape')
  await expect(row(page, 'Menu').getByRole('listitem')).toHaveText(['Hall', 'Summer'])

  await account.code({ name: 'Link', url: 'https://example.com/?utm_source=flyer&b=%7e&b=#top' })
  await goToCode(page, 'Link')
  const link = dialog.getByLabel('Destination URL')
  await dialog.getByRole('button', { name: 'Campaign parameters flyer' }).click()
  await expect(dialog.getByLabel('Source utm_source')).toHaveValue('flyer')
  await dialog.getByLabel('Medium utm_medium').pressSequentially('table tent')
  await expect(link).toHaveValue(
    'https://example.com/?utm_source=flyer&b=%7e&b=&utm_medium=table%20tent#top',
  )
})
