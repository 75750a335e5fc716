import type { Page } from '@playwright/test'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import {
  choose,
  creating,
  editing,
  fillIn,
  leaveReady,
  openCode,
  openNewCode,
  row,
} from './screens.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search QR codes' })
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const status = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Status' }).getByText(name, { exact: true })

/** Waits until the table shows these codes and no others, from top to bottom. */
const expectCodes = (page: Page, names: string[]) =>
  expect(
    page
      .getByRole('row')
      .getByRole('cell')
      .and(page.locator(':nth-child(2)'))
      .getByRole('button')
      .filter({ hasNotText: /^Copy$/ }),
  ).toHaveText(names)

/** Makes three codes, the newest last. */
async function withCodes(page: Page, account: Account): Promise<void> {
  await account.code({ name: 'Poster', url: 'https://example.com/summer' })
  await account.code({ name: 'Flyer', isActive: false })
  await account.code({ name: 'Table card' })
  await page.goto('/dashboard')
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
}

test('a search, a filter and an order survive a reload and Back', async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'professional' }))
  await search(page).fill('FLY')
  await expectCodes(page, ['Flyer'])
  await expect(page.getByText('1 of 3 QR codes')).toBeVisible()
  await search(page).fill('')
  await expect(page.getByText('of 3 QR codes')).toBeHidden()
  await expect(page).toHaveURL('/dashboard')
  await status(page, 'Inactive').click()
  await expectCodes(page, ['Flyer'])
  await status(page, 'All').click()

  const name = header(page, 'QR Code')
  await expect(header(page, 'Created')).toHaveAttribute('aria-sort', 'descending')
  await name.getByRole('button').click()
  await expect(name).toHaveAttribute('aria-sort', 'ascending')
  await expect(header(page, 'Created')).not.toHaveAttribute('aria-sort')
  await name.getByRole('button').click()
  await expect(name).toHaveAttribute('aria-sort', 'descending')
  await expectCodes(page, ['Table card', 'Poster', 'Flyer'])

  await search(page).fill('er')
  await expectCodes(page, ['Poster', 'Flyer'])
  await expect(page).toHaveURL('/dashboard?sort=-name&q=er')
  await page.reload()
  await expectCodes(page, ['Poster', 'Flyer'])
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await page.goBack()
  await expect(search(page)).toHaveValue('er')
  await expectCodes(page, ['Poster', 'Flyer'])

  await search(page).fill('a&b')
  await status(page, 'Expired').click()
  await expect(page.getByRole('heading', { name: 'No QR codes match' })).toBeVisible()
  await expect(page.getByText('0 of 3 QR codes')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expectCodes(page, ['Table card', 'Poster', 'Flyer'])
  await expect(search(page)).toBeFocused()

  await test.step('a code that leaves the filter, and a new one', async () => {
    await page.goto('/dashboard')
    await status(page, 'Active').click()
    await expectCodes(page, ['Table card', 'Poster'])
    await choose(page, 'Poster', 'Pause')
    await expectCodes(page, ['Table card'])
    await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()

    await status(page, 'Inactive').click()
    await expectCodes(page, ['Flyer', 'Poster'])
    const dialog = await openNewCode(page)
    await fillIn(dialog, 'Sticker', 'https://example.com/sticker')
    await dialog.getByRole('button', { name: 'Save QR Code' }).click()
    await leaveReady(page)
    await expectCodes(page, ['Sticker', 'Table card', 'Flyer', 'Poster'])
    await expect(page).toHaveURL('/dashboard')
  })

  // On a phone, where no column has a header, a choice sorts the cards.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z')
  await expectCodes(page, ['Flyer', 'Poster', 'Sticker', 'Table card'])
  await expect(row(page, 'Flyer')).toBeVisible()
  // The last item of a menu is seen without a scroll where neither side of its button has room for all.
  await page.setViewportSize({ width: 390, height: 600 })
  for (const name of ['Flyer', 'Poster']) {
    await row(page, name)
      .getByRole('button', { name: `More for ${name}` })
      .click()
    await expect(page.getByRole('menuitem', { name: `Delete ${name}` })).toBeInViewport({
      ratio: 1,
    })
    await page.keyboard.press('Escape')
  }
})

test('keys work, but not in a field or a dialog', { tag: '@soak' }, async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'unlimited' }))
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
  await page.keyboard.type('c/sum')
  await expect(search(page)).toHaveValue('c/sum')
  await expect(creating(page)).toBeHidden()
  await search(page).fill('/sum')
  await expectCodes(page, ['Poster'])
  await search(page).fill('')
  await search(page).blur()
  await page.keyboard.press('c')
  await expect(creating(page).getByRole('button', { name: 'Save QR Code' })).toBeEnabled()
  await expect(creating(page).getByLabel('QR Code Name')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(creating(page)).toBeHidden()

  const dialog = await openCode(page, 'Flyer')
  await dialog.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('/')
  await page.keyboard.press('c')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(editing(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()

  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  const single = keys.getByRole('switch', { name: 'Single keys' })
  await page.keyboard.press('?')
  await expect(keys).toContainText('Create a QR code')
  await single.uncheck()
  await expect(keys).not.toContainText('Create a QR code')
  await expect(keys).toContainText('Save the form')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  for (const key of ['c', '/', '?']) await page.keyboard.press(key)
  await page.reload()
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
  for (const key of ['c', '/', '?']) await page.keyboard.press(key)
  await expect(search(page)).not.toBeFocused()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await single.check()
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
})
