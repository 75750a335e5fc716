import type { Page } from '@playwright/test'
import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { choose, expectToast, figure, row, toasts } from './screens.ts'

const bin = (page: Page) => page.getByRole('dialog', { name: 'Trash' })
const binned = (page: Page, name: string) =>
  bin(page).getByRole('listitem').filter({ hasText: name })
const question = (page: Page) => page.getByRole('dialog', { name: 'Delete this QR code?' })

async function openBin(page: Page) {
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  await expect(bin(page)).toBeVisible()
}

async function deleteCode(page: Page, name: string) {
  await choose(page, name, 'Delete')
  await expect(question(page)).toContainText(name)
  await expect(question(page)).toContainText('You can restore it from the trash for 30 days.')
  await question(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'QR code deleted successfully', 'Undo')
  await expect(question(page)).toBeHidden()
}

// The page may ask for codes that the test deletes behind its back.
test.use({ expected: /status of (403|404|503)|503:/ })

test('a deleted code is restored if the plan allows it, or by Undo', async ({ page, member }) => {
  const account = await member()
  const { shortCode } = await account.code({ name: 'Poster' })
  await account.code({ name: 'Flyer' })
  await page.goto('/dashboard')
  await expect(figure(page, 'Plan Usage')).toHaveText('2/3 QR codes')
  await deleteCode(page, 'Poster')
  await expect(row(page, 'Poster')).toHaveCount(0)
  await expect(row(page, 'Flyer')).toBeVisible()
  await expect(figure(page, 'Total QR Codes')).toHaveText('1')
  await expect(figure(page, 'Plan Usage')).toHaveText('1/3 QR codes')
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
  expect(await scan(page, shortCode)).toBe(404)

  // The restored code comes into view, although the search does not find it.
  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('Flyer')
  await expect(page).toHaveURL('/dashboard?q=Flyer')
  await refuse(page, '**/api/qr-codes/bin', 503, 'unavailable', 'Back in a minute.')
  await openBin(page)
  await expect(bin(page).getByRole('alert')).toContainText('Your trash couldn’t be loaded')
  await expect(bin(page).getByRole('alert')).toContainText('Back in a minute.')
  await page.unroute('**/api/qr-codes/bin')
  await bin(page).getByRole('button', { name: 'Try again' }).click()
  await expect(binned(page, 'Poster')).toContainText(`/qr/${shortCode}`)
  await expect(binned(page, 'Poster')).toContainText(/Deleted .+, kept until .+/)
  const others = [await account.code({ name: 'Third' }), await account.code({ name: 'Fourth' })]
  await bin(page).getByRole('button', { name: 'Restore Poster' }).click()
  await expect(page.getByRole('alert')).toContainText('Your Free plan includes 3 QR codes')
  await expect(binned(page, 'Poster')).toBeVisible()
  for (const { id } of others) await page.request.delete(`/api/qr-codes/${id}`)
  await bin(page).getByRole('button', { name: 'Restore Poster' }).click()
  await expectToast(page, 'Success', 'QR code restored')
  await expect(binned(page, 'Poster')).toHaveCount(0)
  // The pressed button has gone with its row: the focus stays in the dialog.
  await expect(bin(page).locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Trash', exact: true })).toBeFocused()
  await expect(row(page, 'Poster')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  expect(await scan(page, shortCode)).toBe(302)

  await deleteCode(page, 'Poster')
  expect(await scan(page, shortCode)).toBe(404)
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Success', 'QR code restored')
  await expect(row(page, 'Poster')).toBeVisible()
  expect(await scan(page, shortCode)).toBe(302)
})
