import type { Page } from '@playwright/test'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import { creating, editing, openCode, openNewCode, row } from './screens.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search QR codes' })
const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
const status = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Status' }).getByText(name, { exact: true })

/** Waits until the table shows these codes and no others, from top to bottom. */
const expectCodes = (page: Page, names: string[]) =>
  expect(
    page.getByRole('row').getByRole('cell').and(page.locator(':nth-child(2)')).getByRole('button'),
  ).toHaveText(names)

/** Three codes, the newest last. */
async function withCodes(page: Page, account: Account): Promise<void> {
  await account.code({ name: 'Poster', url: 'https://example.com/summer' })
  await account.code({ name: 'Flyer', isActive: false })
  await account.code({ name: 'Table card' })
  await page.goto('/dashboard')
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
}

test('somebody finds codes by name and by destination', async ({ page, member }) => {
  await withCodes(page, await member())
  await search(page).fill('FLY')
  await expectCodes(page, ['Flyer'])
  await expect(page.getByText('1 of 3 QR codes')).toBeVisible()
  await search(page).fill('/summer')
  await expectCodes(page, ['Poster'])
  await search(page).fill('')
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
  await expect(page.getByText('of 3 QR codes')).toBeHidden()
  await expect(page).toHaveURL('/dashboard')
})

test('a slash leads to the search, and is a slash once somebody types', async ({
  page,
  member,
}) => {
  await withCodes(page, await member())
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
  await page.keyboard.type('com/sum')
  await expect(search(page)).toHaveValue('com/sum')
  await expectCodes(page, ['Poster'])
})

test('C opens the dialog of a new code, except where it is typed', async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'unlimited' }))
  await search(page).press('c')
  await expect(search(page)).toHaveValue('c')
  await expect(creating(page)).toBeHidden()
  await search(page).fill('')
  await search(page).blur()
  await page.keyboard.press('c')
  await expect(creating(page).getByRole('button', { name: 'Save QR Code' })).toBeEnabled()
  await expect(creating(page).getByLabel('QR Code Name')).toHaveValue('')
})

test('the single keys rest while a dialog is open', async ({ page, member }) => {
  await withCodes(page, await member())
  const dialog = await openCode(page, 'Flyer')
  await dialog.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('/')
  await page.keyboard.press('c')
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused()
  await expect(editing(page)).toBeVisible()
})

test('a question mark shows the keys, and a switch turns the single ones off', async ({
  page,
  member,
}) => {
  await withCodes(page, await member())
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('?')
  await expect(keys).toContainText('Search your QR codes')
  await keys.getByRole('switch', { name: 'Single keys' }).uncheck()
  await expect(keys).not.toContainText('Search your QR codes')
  await expect(keys).toContainText('Save the form')
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  for (const key of ['c', '/', '?']) await page.keyboard.press(key)
  await page.reload()
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
  for (const key of ['c', '/', '?']) await page.keyboard.press(key)
  await expect(search(page)).not.toBeFocused()
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
  await keys.getByRole('switch', { name: 'Single keys' }).check()
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
})

test('a code that a change takes out of the list leaves the focus at its title', async ({
  page,
  member,
}) => {
  await withCodes(page, await member())
  await status(page, 'Active').click()
  await expectCodes(page, ['Table card', 'Poster'])
  await row(page, 'Poster').getByRole('button', { name: 'Pause' }).click()
  await expectCodes(page, ['Table card'])
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
})

test('a new code comes into view, wherever the list stands', async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'professional' }))
  await status(page, 'Inactive').click()
  await expectCodes(page, ['Flyer'])
  const dialog = await openNewCode(page)
  await dialog.getByLabel('QR Code Name').fill('Sticker')
  await dialog.getByLabel('Destination URL').fill('https://example.com/sticker')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expectCodes(page, ['Sticker', 'Table card', 'Flyer', 'Poster'])
  await expect(page).toHaveURL('/dashboard')
})

test('rows that a search only passes through ask for no numbers', async ({ page, member }) => {
  const account = await member()
  await account.code({ name: 'Flyer' })
  const passed = await account.code({ name: 'Table card' })
  const found = await account.code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard?q=Flyer')
  await expectCodes(page, ['Flyer'])
  await page.clock.pauseAt(Date.now() + 60_000)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await search(page).fill('Table')
  await page.clock.runFor(149)
  await search(page).fill('Poster')
  await page.clock.runFor(150)
  await expectCodes(page, ['Poster'])
  await expect.poll(() => asked).toContain(`/api/analytics/qr-code/${found.id}`)
  expect(asked).not.toContain(`/api/analytics/qr-code/${passed.id}`)
})

test('somebody sees only what is inactive', async ({ page, member }) => {
  await withCodes(page, await member())
  await status(page, 'Inactive').click()
  await expectCodes(page, ['Flyer'])
  await status(page, 'All').click()
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
})

test('the name of a column sorts by it, one way and the other', async ({ page, member }) => {
  await withCodes(page, await member())
  await expect(header(page, 'Created')).toHaveAttribute('aria-sort', 'descending')
  await header(page, 'QR Code').getByRole('button').click()
  await expect(header(page, 'QR Code')).toHaveAttribute('aria-sort', 'ascending')
  await expect(header(page, 'Created')).not.toHaveAttribute('aria-sort')
  await expectCodes(page, ['Flyer', 'Poster', 'Table card'])
  await header(page, 'QR Code').getByRole('button').click()
  await expect(header(page, 'QR Code')).toHaveAttribute('aria-sort', 'descending')
  await expectCodes(page, ['Table card', 'Poster', 'Flyer'])
})

test('a reload and the way back find the list as it was', async ({ page, member }) => {
  await withCodes(page, await member())
  await header(page, 'QR Code').getByRole('button').click()
  await search(page).fill('er')
  await expectCodes(page, ['Flyer', 'Poster'])
  await expect(page).toHaveURL('/dashboard?sort=name&q=er')
  await page.reload()
  await expectCodes(page, ['Flyer', 'Poster'])
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await page.goBack()
  await expect(search(page)).toHaveValue('er')
  await expectCodes(page, ['Flyer', 'Poster'])
})

test('somebody who finds nothing is told so and starts again', async ({ page, member }) => {
  await withCodes(page, await member())
  await search(page).fill('a&b')
  await status(page, 'Expired').click()
  await expect(page.getByRole('heading', { name: 'No QR codes match' })).toBeVisible()
  await expect(page.getByText('0 of 3 QR codes')).toBeVisible()
  await expect(page.getByText('No QR codes yet')).toBeHidden()
  await expect(search(page)).toHaveValue('a&b')
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expectCodes(page, ['Table card', 'Flyer', 'Poster'])
  await expect(search(page)).toBeFocused()
})

test('on a phone, where no column has a head, a choice sorts the cards', async ({
  page,
  member,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await withCodes(page, await member())
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Name, A to Z')
  await expectCodes(page, ['Flyer', 'Poster', 'Table card'])
  await expect(row(page, 'Flyer')).toBeVisible()
})
