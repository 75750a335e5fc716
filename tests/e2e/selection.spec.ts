import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import { expectSentToSignIn, expectToast, row } from './screens.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Selected QR codes' })
const tick = (page: Page, name: string) =>
  page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const button = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })

/** Codes named "Code 1", "Code 2" …, the last on top. */
async function withCodes(page: Page, account: Account, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) await account.code({ name: `Code ${number}` })
  await page.goto('/dashboard')
  await expect(row(page, `Code ${count}`)).toBeVisible()
}

test('somebody pauses several codes at once, and lets them go on', async ({ page, member }) => {
  await withCodes(page, await member(), 3)
  await expect(bar(page)).toBeHidden()
  await tick(page, 'Code 1').check()
  await tick(page, 'Code 3').check()
  await expect(bar(page)).toContainText('2 selected')
  await expect(button(page, 'Resume')).toBeHidden()
  await button(page, 'Pause').click()
  await expectToast(page, 'Success', '2 QR codes paused')
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
})

test('somebody deletes several codes, after a question', async ({ page, member }) => {
  await withCodes(page, await member(), 3)
  await tick(page, 'Code 1').check()
  await tick(page, 'Code 2').check()
  await button(page, 'Delete').click()
  const question = page.getByRole('dialog', { name: 'Delete 2 QR codes?' })
  await expect(question).toContainText('For 30 days they can be restored from the bin.')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Code 1')).toBeVisible()
  await button(page, 'Delete').click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', '2 QR codes deleted')
  await expect(row(page, 'Code 1')).toHaveCount(0)
  await expect(row(page, 'Code 3')).toBeVisible()
  await expect(bar(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
})

test('the question before one selected code is deleted names it, as the one of its row does', async ({
  page,
  member,
}) => {
  await withCodes(page, await member(), 2)
  await row(page, 'Code 1').getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this QR code?' })
  await expect(question).toContainText('Code 1 stops working at once')
  const words = (await question.textContent()) ?? ''
  await question.getByRole('button', { name: 'Cancel' }).click()
  await tick(page, 'Code 1').check()
  await button(page, 'Delete').click()
  await expect(question).toHaveText(words)
})

test('somebody downloads several codes as one zip', async ({ page, member }) => {
  const account = await member()
  await account.code({ name: 'Menu' })
  await account.code({ name: 'Menu' })
  await account.code({ name: 'Poster', style: 'rounded' })
  await page.goto('/dashboard')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText('3 selected')
  const downloading = page.waitForEvent('download')
  await button(page, 'Download as zip').click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('qr_codes.zip')
  const files = Object.keys(unzipSync(await readFile(await download.path())))
  const folders = new Set(files.map((file) => file.split('/')[0]?.replace(/#.{8}/, '#')))
  expect([...folders].sort()).toEqual(['Menu', 'Menu (#)', 'Poster'])
  expect(files).toEqual(
    expect.arrayContaining(['Poster/Poster.png', 'Poster/Poster.svg', 'Poster/Poster.jpg']),
  )
  expect(files).toHaveLength(9)
})

test('what takes a while shows how far it is, and can be stopped', async ({ page, member }) => {
  await withCodes(page, await member({ tier: 'professional' }), 10)
  let held: (() => void)[] = []
  await page.route('**/api/qr-codes/*', async (route) => {
    if (route.request().method() === 'PATCH') {
      await new Promise<void>((resolve) => held.push(resolve))
    }
    await route.continue()
  })
  const release = async () => {
    await expect.poll(() => held.length).toBe(4)
    const waiting = held
    held = []
    for (const go of waiting) go()
  }
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Pause').click()
  await expect(bar(page)).toContainText('Pausing 0 of 10')
  await expect(bar(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
  await release()
  await expect(bar(page)).toContainText('Pausing 4 of 10')
  await expect(bar(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40')
  await button(page, 'Stop').click()
  await release()
  await expectToast(page, 'Success', '8 QR codes paused')
  await expect(page.getByRole('cell').getByText('Inactive', { exact: true })).toHaveCount(8)
})

test('Shift takes all rows from the last one, and a second time leaves them', async ({
  page,
  member,
}) => {
  await withCodes(page, await member({ tier: 'professional' }), 6)
  await tick(page, 'Code 5').click()
  await tick(page, 'Code 2').click({ modifiers: ['Shift'] })
  await expect(bar(page)).toContainText('4 selected')
  await expect(tick(page, 'Code 3')).toBeChecked()
  await expect(tick(page, 'Code 6')).not.toBeChecked()
  await button(page, 'Clear selection').click()
  await expect(bar(page)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
})

test('a selection spans pages, and what a search hides is not part of it', async ({
  page,
  member,
}) => {
  await withCodes(page, await member({ tier: 'unlimited' }), 27)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await expect(bar(page)).toContainText('25 selected')
  await button(page, 'Select all 27').click()
  await expect(bar(page)).toContainText('27 selected')
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect(tick(page, 'Code 1')).toBeChecked()
  await tick(page, 'Code 1').uncheck()
  await expect(bar(page)).toContainText('26 selected')
  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('Code 2')
  await expect(bar(page)).toContainText('9 selected')
  await page.getByRole('searchbox', { name: 'Search QR codes' }).fill('nothing like it')
  await expect(bar(page)).toBeHidden()
})

test('codes that no phone can read are asked about before they are downloaded', async ({
  page,
  member,
}) => {
  const account = await member()
  await account.code({ name: 'Pale', foregroundColor: '#fefefe' })
  await account.code({ name: 'Plain' })
  await account.allChecked()
  await page.goto('/dashboard')
  await row(page, 'Pale').getByRole('button', { name: 'Download all as zip' }).click()
  const one = page.getByRole('dialog', { name: 'This code cannot be scanned' })
  await expect(one).toContainText('“Pale”')
  await one.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await button(page, 'Download as zip').click()
  const several = page.getByRole('dialog', { name: '1 of 2 codes cannot be scanned' })
  const downloading = page.waitForEvent('download')
  await several.getByRole('button', { name: 'Download anyway' }).click()
  expect((await downloading).suggestedFilename()).toBe('qr_codes.zip')
})

test.describe('when some of it fails', () => {
  test.use({ expected: /status of 503|503:/ })

  const failing = (page: Page, path: string, id: string) =>
    page.route(`**/api/qr-codes/${id}${path}`, (route) =>
      route.fulfill({ status: 503, json: { message: 'Back in a minute.', code: 'unavailable' } }),
    )

  test('the rest is done, and the toast says how many are not', async ({ page, member }) => {
    const account = await member()
    const stuck = await account.code({ name: 'Stuck' })
    await account.code({ name: 'Loose' })
    await page.goto('/dashboard')
    await failing(page, '', stuck.id)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button(page, 'Pause').click()
    await expectToast(page, 'Error', '1 QR code of 2 could not be paused. Back in a minute.')
    await expect(row(page, 'Loose').getByText('Inactive', { exact: true })).toBeVisible()
    await expect(row(page, 'Stuck').getByText('Active', { exact: true })).toBeVisible()
    await expect(tick(page, 'Stuck')).toBeChecked()
  })

  test('there is no zip with a code missing', async ({ page, member }) => {
    const account = await member()
    const stuck = await account.code({ name: 'Stuck' })
    await account.code({ name: 'Loose' })
    await page.goto('/dashboard')
    await failing(page, '/download-zip', stuck.id)
    let downloads = 0
    page.on('download', () => downloads++)
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await button(page, 'Download as zip').click()
    await expectToast(page, 'Error', 'Failed to download QR codes. Back in a minute.')
    expect(downloads).toBe(0)
  })
})

test.describe('when the session has ended', () => {
  test.use({ expected: /status of 401/ })

  test('several codes at once send the person to sign in', async ({ page, member }) => {
    await withCodes(page, await member(), 2)
    await page.context().clearCookies()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const saying = 'You are logged out. Logging in again...'
    await expectSentToSignIn(page, { saying, from: '/dashboard' }, () =>
      button(page, 'Pause').click(),
    )
  })
})
