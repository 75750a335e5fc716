import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { Account } from './account.ts'
import { refuse } from './changed-answers.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectSentToSignIn, expectToast, row, toasts } from './screens.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Selected QR codes' })
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const tickPage = (page: Page) => page.getByRole('checkbox', { name: 'Select all on this page' })
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

/** Codes named "Code 1", "Code 2" …, the last on top. */
async function withCodes(page: Page, account: Account, count: number): Promise<void> {
  await account.series(Array.from({ length: count }, (_, index) => `Code ${count - index}`))
  await page.goto('/dashboard')
  await expect(row(page, `Code ${count}`)).toBeVisible()
}

test('several codes are paused, resumed and deleted', async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'professional' }), 6)
  await expect(bar(page)).toBeHidden()
  await tick(page, 'Code 5').click()
  await tick(page, 'Code 2').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('4 selected')
  await expect(tick(page, 'Code 3')).toBeChecked()
  await expect(tick(page, 'Code 6')).not.toBeChecked()
  await button(page, 'Clear selection').click()
  await expect(bar(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()

  await tick(page, 'Code 1').check()
  await tick(page, 'Code 3').check()
  await expect(bar(page)).toContainText('2 selected')
  await expect(button(page, 'Resume')).toBeHidden()
  await button(page, 'Pause').click()
  await expectToast(page, 'Success', '2 QR codes paused', 'Undo')
  for (const [name, status] of [
    ['Code 1', 'Inactive'],
    ['Code 2', 'Active'],
    ['Code 3', 'Inactive'],
  ] as const) {
    await expect(row(page, name).getByText(status, { exact: true })).toBeVisible()
  }
  await expect(bar(page)).toBeFocused()
  await button(page, 'Resume').click()
  await expectToast(page, 'Success', '2 QR codes resumed')
  await expect(row(page, 'Code 1').getByText('Active', { exact: true })).toBeVisible()

  await button(page, 'Delete').click()
  const several = page.getByRole('dialog', { name: 'Delete 2 QR codes?' })
  await expect(several).toContainText('You can restore them from the trash for 30 days.')
  await several.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Code 1')).toBeVisible()
  await tick(page, 'Code 3').uncheck()

  await tick(page, 'Code 2').check()
  await button(page, 'Delete').click()
  await several.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', '2 QR codes deleted', 'Undo')
  await expect(row(page, 'Code 1')).toHaveCount(0)
  await expect(row(page, 'Code 3')).toBeVisible()
  await expect(bar(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
  await toasts(page).getByRole('button', { name: 'Undo' }).click()
  await expectToast(page, 'Success', '2 QR codes restored')
  await expect(row(page, 'Code 1')).toBeVisible()

  await test.step('on a phone by a bar of one line', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(bar(page)).toContainText('2 selected')
    expect((await bar(page).boundingBox())?.height).toBeLessThanOrEqual(64)
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await expectToast(page, 'Success', '2 QR codes paused', 'Undo')
  })
})

test('a selection spans pages but not hidden codes', async ({ page, member, database }) => {
  const account = await member({ tier: 'unlimited' })
  await withCodes(page, account, 27)
  await expect(row(page, 'Code 2')).toHaveCount(0)
  await tickPage(page).check()
  await expect(bar(page)).toContainText('25 selected')
  await button(page, 'Select all 27').click()
  await expect(bar(page)).toContainText('27 selected')
  const secondPage = page.getByRole('button', { name: 'Page 2', exact: true })
  await secondPage.click()
  await expect(row(page, 'Code 2')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(tick(page, 'Code 1')).toBeChecked()
  await tick(page, 'Code 1').uncheck()
  await expect(bar(page)).toContainText('26 selected')
  const search = page.getByRole('searchbox', { name: 'Search QR codes' })
  await search.fill('Code 2')
  await expect(bar(page)).toContainText('9 selected')
  await search.fill('nothing like it')
  await expect(bar(page)).toBeHidden()

  await page.goto('about:blank')
  const deleted = { deleted_at: Date.now() }
  const own = database.db.updateTable('codes').where('workspace_id', '=', account.workspaceId)
  await own.set(deleted).execute()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Trash', exact: true }).click()
  const binned = page.getByRole('dialog', { name: 'Trash' }).getByRole('listitem')
  await expect(binned).toHaveCount(25)
  await secondPage.click()
  await expect(binned).toHaveCount(2)
})

test.use({ expected: /status of (401|503)|503:/ })

test('several codes come as one zip, and failures are shown', async ({ page, member, context }) => {
  const account = await member()
  await account.code({ name: 'Menu' })
  await account.code({ name: 'Menu', style: 'rounded' })
  await account.code({ name: 'Pale', foregroundColor: '#fefefe' })
  await account.allChecked()
  await page.goto('/dashboard')
  await choose(page, 'Pale', 'Download all as zip')
  const one = page.getByRole('dialog', { name: 'Most scanners can’t read this code' })
  await expect(one).toContainText('“Pale”')
  await one.getByRole('button', { name: 'Cancel' }).click()

  await tickPage(page).check()
  await expect(bar(page)).toContainText('3 selected')
  await button(page, 'Download as zip').click()
  const several = page.getByRole('dialog', { name: 'Most scanners can’t read 1 of 3 QR codes' })
  const anyway = several.getByRole('button', { name: 'Download anyway' })
  // The unit tests have the names of its folders.
  const files = Object.keys(unzipSync(await savedBy(page, () => anyway.click())))
  expect(files).toContain('Pale/Pale.png')
  expect(files).toHaveLength(9)

  for (const code of await (await page.request.get('/api/qr-codes')).json()) {
    await page.request.delete(`/api/qr-codes/${code.id}`)
  }
  const { id } = await account.code({ name: 'Stuck' })
  await account.code({ name: 'Loose' })
  await page.goto('/dashboard')
  for (const path of ['', '/download-zip']) {
    await refuse(page, `**/api/qr-codes/${id}${path}`, 503, 'unavailable', 'Back in a minute.')
  }
  await tickPage(page).check()
  await button(page, 'Pause').click()
  await expectToast(page, 'Error', '1 QR code of 2 couldn’t be paused. Back in a minute.')
  await expect(row(page, 'Loose').getByText('Inactive', { exact: true })).toBeVisible()
  await expect(row(page, 'Stuck').getByText('Active', { exact: true })).toBeVisible()
  await expect(tick(page, 'Stuck')).toBeChecked()

  // A zip with a code missing is not made.
  let downloads = 0
  page.on('download', () => downloads++)
  await button(page, 'Download as zip').click()
  await expectToast(page, 'Error', 'Failed to download QR codes. Back in a minute.')
  expect(downloads).toBe(0)

  await page.unrouteAll({ behavior: 'wait' })
  await context.clearCookies()
  const saying = 'You are logged out. Logging in again...'
  await expectSentToSignIn(page, { saying, from: '/dashboard' }, () =>
    button(page, 'Pause').click(),
  )
})
