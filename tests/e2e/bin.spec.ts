import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, row } from './screens.ts'

const bin = (page: Page) => page.getByRole('dialog', { name: 'Bin' })
const binned = (page: Page, name: string) =>
  bin(page).getByRole('listitem').filter({ hasText: name })

async function openBin(page: Page) {
  await page.getByRole('button', { name: 'Bin', exact: true }).click()
  await expect(bin(page)).toBeVisible()
}

async function deleteCode(page: Page, name: string) {
  await row(page, name).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this QR code?' })
  await expect(question).toContainText('For 30 days it can be restored from the bin.')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'QR code deleted successfully')
  await expect(question).toBeHidden()
}

test('somebody takes a deleted code out of the bin, and its link leads on again', async ({
  page,
  member,
  destination,
}) => {
  const code = await (await member()).code({ name: 'Poster', url: `${destination.origin}/poster` })
  await page.goto('/dashboard')
  await deleteCode(page, 'Poster')
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  const link = `/qr/${code.shortCode}`
  expect((await page.request.get(link, { maxRedirects: 0 })).status()).toBe(404)

  await openBin(page)
  await expect(binned(page, 'Poster')).toContainText(`/qr/${code.shortCode}`)
  await expect(binned(page, 'Poster')).toContainText(/Deleted .+, kept until .+/)
  await bin(page).getByRole('button', { name: 'Restore Poster' }).click()
  await expectToast(page, 'Success', 'QR code restored')
  await expect(bin(page).getByText('The bin is empty')).toBeVisible()
  // The button that was pressed has gone with its row: the focus stays in the dialog.
  await expect(bin(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Bin', exact: true })).toBeFocused()
  await expect(row(page, 'Poster')).toBeVisible()
  expect((await page.request.get(link, { maxRedirects: 0 })).status()).toBe(302)
})

test('a restored code comes into view, wherever the list stands', async ({ page, member }) => {
  const account = await member({ tier: 'professional' })
  await account.code({ name: 'Poster' })
  await account.code({ name: 'Flyer' })
  await page.goto('/dashboard')
  await deleteCode(page, 'Poster')
  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('Flyer')
  await openBin(page)
  await bin(page).getByRole('button', { name: 'Restore Poster' }).click()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Poster')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
})

test('a bin with many codes has pages', async ({ page, member, database }) => {
  const account = await member({ tier: 'unlimited' })
  for (let index = 1; index <= 27; index++) await account.code({ name: `Code ${index}` })
  await database.db
    .updateTable('codes')
    .set({ deleted_at: Date.now() })
    .where('user_id', '=', account.id)
    .execute()
  await page.goto('/dashboard')
  await openBin(page)
  await expect(bin(page).getByRole('listitem')).toHaveCount(25)
  await bin(page).getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(bin(page).getByRole('listitem')).toHaveCount(2)
})

test.describe('without a free place', () => {
  test.use({ expected: /status of 403/ })

  test('a code stays in the bin, and the server says why', async ({ page, member }) => {
    const account = await member()
    for (const name of ['One', 'Two', 'Three']) await account.code({ name })
    await page.goto('/dashboard')
    await deleteCode(page, 'Two')
    await account.code({ name: 'Four' })
    await openBin(page)
    await bin(page).getByRole('button', { name: 'Restore Two' }).click()
    await expect(page.getByRole('alert')).toContainText('Your Free plan includes 3 QR codes')
    await expect(binned(page, 'Two')).toBeVisible()
  })
})

test.describe('when the server fails', () => {
  test.use({ expected: /status of 503|503:/ })

  test('the bin says so and can be asked again', async ({ page, member }) => {
    await member()
    await page.route('**/api/qr-codes/bin', (route) =>
      route.fulfill({ status: 503, json: { message: 'Back in a minute.', code: 'unavailable' } }),
    )
    await page.goto('/dashboard')
    await openBin(page)
    await expect(bin(page).getByRole('alert')).toContainText('The bin could not be loaded')
    await expect(bin(page).getByRole('alert')).toContainText('Back in a minute.')
    await page.unroute('**/api/qr-codes/bin')
    await bin(page).getByRole('button', { name: 'Try again' }).click()
    await expect(bin(page).getByText('The bin is empty')).toBeVisible()
  })
})
