import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import sharp from 'sharp'
import { DAY_MS } from '#contract/time.ts'
import { decodePicture } from '../support/decode.ts'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { creating, editing, expectSentToSignIn, expectToast, figure, row } from './screens.ts'

/** Any colour that is much more red than anything else. */
const RED = /^rgb\((?:1[5-9]|2[0-5])\d, \d{1,2}, \d{1,2}\)$/

const action = (page: Page, code: string, name: string) =>
  row(page, code).getByRole('button', { name, exact: true })

test('the header greets by first name, shows the plan and leads to the profile', async ({
  page,
  member,
}) => {
  await member({ name: 'Grace Brewster Hopper' })
  await page.goto('/dashboard')
  const header = page.getByRole('banner')
  await expect(header.getByRole('link', { name: 'Tessera' })).toBeVisible()
  await expect(header.getByText('Grace', { exact: true })).toBeVisible()
  await expect(header.getByText('FREE', { exact: true })).toBeVisible()
  await header.getByRole('link', { name: 'Profile' }).click()
  await expect(page).toHaveURL('/profile')
  await header.getByRole('link', { name: 'Logout' }).click()
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Get Started' })).toBeVisible()
})

test('the header shows a picture, and the e-mail address where there is no first name', async ({
  page,
  member,
}) => {
  const { email } = await member()
  await page.route('/api/auth/user', async (route) => {
    const user = await (await route.fetch()).json()
    const profileImageUrl = '/favicon.svg'
    await route.fulfill({ json: { ...user, firstName: null, lastName: null, profileImageUrl } })
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('banner').getByText(email)).toBeVisible()
  await expect(page.getByRole('banner').locator('img[src="/favicon.svg"]')).toBeVisible()
})

test('a newcomer sees their empty dashboard and makes the first code', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('QR Code Dashboard')
  await expect(page.getByText('Manage and track your QR codes')).toBeVisible()
  await expect(page.getByRole('term')).toHaveText([
    ...['Total QR Codes', 'Total Scans', 'This Month', 'Plan Usage'],
  ])
  for (const term of ['Total QR Codes', 'Total Scans', 'This Month']) {
    await expect(figure(page, term)).toHaveText('0')
  }
  await expect(figure(page, 'Plan Usage')).toHaveText('0/3 QR codes')

  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No QR codes yet' })).toBeVisible()
  await expect(page.getByText('Get started by creating your first QR code')).toBeVisible()
  await page.getByRole('button', { name: 'Create Your First QR Code' }).click()
  await expect(creating(page)).toBeVisible()
})

test('somebody without a limit sees how many codes they have', async ({ page, member }) => {
  const account = await member({ tier: 'unlimited' })
  await account.code()
  await page.goto('/dashboard')
  await expect(figure(page, 'Plan Usage')).toHaveText('1 QR codes')
  await expect(page.getByRole('banner').getByText('UNLIMITED')).toBeVisible()
})

test('the table shows each code with its picture, number, destination and day', async ({
  page,
  member,
}) => {
  const account = await member()
  const code = await account.code({ name: 'Poster', url: 'https://example.com/poster' })
  await account.code({ name: 'Flyer' })
  await page.goto('/dashboard')
  // The first one has a box to tick and no text.
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['', 'QR Code', 'URL', 'Stats', 'Created', 'Status', 'Actions'],
  ])
  const poster = row(page, 'Poster')
  await expect(poster).toContainText(`#${code.id.slice(0, 8)}`)
  await expect(poster).not.toContainText(code.id.slice(0, 9))
  const destination = poster.getByRole('link', { name: 'https://example.com/poster' })
  await expect(destination).toHaveAttribute('href', 'https://example.com/poster')
  const today = new Date().toLocaleDateString('en-US', { dateStyle: 'medium' })
  await expect(poster.getByRole('cell').nth(4)).toContainText(today)
  await expect(poster.getByText('Active', { exact: true })).toBeVisible()

  const thumbnail = poster.locator('img')
  await expect(thumbnail).toHaveAttribute('src', /\/generate\?format=png/)
  await expect
    .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  await expect(figure(page, 'Total QR Codes')).toHaveText('2')
  await expect(figure(page, 'Plan Usage')).toHaveText('2/3 QR codes')
})

test('somebody opens a code for editing by its name and by the button', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  for (const name of ['Poster', 'Edit']) {
    await action(page, 'Poster', name).click()
    await expect(editing(page).getByLabel('QR Code Name')).toHaveValue('Poster')
    await page.keyboard.press('Escape')
    await expect(editing(page)).toBeHidden()
    await expect(action(page, 'Poster', name)).toBeFocused()
  }
})

test('a scan is counted in the cards and in its row', async ({ page, member }) => {
  const account = await member()
  const { shortCode } = await account.code({ name: 'Poster' })
  await account.code({ name: 'Flyer' })
  expect(await scan(page, shortCode)).toBe(302)
  expect(await scan(page, shortCode)).toBe(302)
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('2 scans')
  await expect(row(page, 'Poster')).toContainText('2 this month')
  await expect(row(page, 'Flyer')).toContainText('0 scans')
  await expect(figure(page, 'Total Scans')).toHaveText('2')
  await expect(figure(page, 'This Month')).toHaveText('2')
})

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('somebody copies the link of a code', async ({ page, member, server }) => {
    const { shortCode } = await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    await action(page, 'Poster', 'Copy link').click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${server.origin}/qr/${shortCode}`)
  })

  test('somebody copies the custom link of a code that has one', async ({
    page,
    member,
    server,
  }) => {
    const vanityUrl = `poster-${process.pid}-${Date.now()}`
    await (await member({ tier: 'professional' })).code({ name: 'Poster', vanityUrl })
    await page.goto('/dashboard')
    await action(page, 'Poster', 'Copy link').click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(`${server.origin}/qr/${vanityUrl}`)
  })
})

test('somebody whose browser refuses to copy is told so', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
  })
  await page.goto('/dashboard')
  await action(page, 'Poster', 'Copy link').click()
  await expectToast(page, 'Error', 'Failed to copy URL')
})

test('somebody copies a link in a browser that has no clipboard for this page', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
  })
  await page.goto('/dashboard')
  await action(page, 'Poster', 'Copy link').click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await expect(action(page, 'Poster', 'Copy link')).toBeFocused()
})

test('somebody downloads a code in all formats, and each of the files scans', async ({
  page,
  member,
  server,
}) => {
  const { shortCode } = await (await member()).code({ name: 'Poster', style: 'rounded' })
  await page.goto('/dashboard')
  const started = page.waitForEvent('download')
  await action(page, 'Poster', 'Download all as zip').click()
  const download = await started
  expect(download.suggestedFilename()).toBe('Poster_all_formats.zip')
  const files = unzipSync(await readFile(await download.path()))
  expect(Object.keys(files).sort()).toEqual(['Poster.jpg', 'Poster.png', 'Poster.svg'])
  for (const [name, bytes] of Object.entries(files)) {
    const picture = name.endsWith('.svg') ? await sharp(bytes).png().toBuffer() : bytes
    expect(await decodePicture(picture), name).toBe(`${server.origin}/qr/${shortCode}`)
  }
})

test('somebody pauses a code, whose link then refuses, and resumes it', async ({
  page,
  member,
}) => {
  const { shortCode } = await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await action(page, 'Poster', 'Pause').click()
  await expect(row(page, 'Poster').getByText('Inactive', { exact: true })).toBeVisible()
  await expectToast(page, 'Success', 'QR code paused')
  expect(await scan(page, shortCode)).toBe(410)

  await action(page, 'Poster', 'Resume').click()
  await expect(row(page, 'Poster').getByText('Active', { exact: true })).toBeVisible()
  await expectToast(page, 'Success', 'QR code resumed')
  expect(await scan(page, shortCode)).toBe(302)
})

test('somebody deletes a code after a second thought', async ({ page, member }) => {
  const account = await member()
  const { shortCode } = await account.code({ name: 'Poster' })
  await account.code({ name: 'Flyer' })
  await page.goto('/dashboard')
  await expect(figure(page, 'Plan Usage')).toHaveText('2/3 QR codes')
  const dialog = page.getByRole('dialog', { name: 'Delete this QR code?' })

  await action(page, 'Poster', 'Delete').click()
  await expect(dialog).toContainText('Poster')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(action(page, 'Poster', 'Delete')).toBeFocused()
  expect(await scan(page, shortCode)).toBe(302)

  await action(page, 'Poster', 'Delete').click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'QR code deleted successfully')
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Poster')).toHaveCount(0)
  await expect(row(page, 'Flyer')).toBeVisible()
  await expect(figure(page, 'Total QR Codes')).toHaveText('1')
  await expect(figure(page, 'Plan Usage')).toHaveText('1/3 QR codes')
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
  expect(await scan(page, shortCode)).toBe(404)
})

test('a code past its end is shown as expired, one before it with its day', async ({
  page,
  member,
}) => {
  const account = await member()
  const past = await account.code({ name: 'Last month' })
  const soon = await account.code({ name: 'This week' })
  const end = new Date(Date.now() - 2 * DAY_MS)
  await account.expire(past.id, end)
  await page.goto('/dashboard')
  const day = (date: Date) => date.toLocaleDateString('en-US', { dateStyle: 'medium' })
  const expired = row(page, 'Last month').getByText('Expired', { exact: true })
  await expect(expired.locator('..')).toHaveCSS('background-color', RED)
  await expect(row(page, 'Last month')).toContainText(`Stopped working on ${day(end)}`)
  await expect(row(page, 'This week').getByText('Active', { exact: true })).toBeVisible()
  await expect(row(page, 'This week')).toContainText(
    `Stops working on ${day(new Date(soon.expiresAt as string))}`,
  )
})

test('a code about to end is announced above all others', async ({ page, member }) => {
  const account = await member()
  const menu = await account.code({ name: 'Menu' })
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toBeVisible()
  await expect(page.getByText('See the plans')).toHaveCount(0)
  const end = new Date(Date.now() + 2 * DAY_MS)
  await account.expire(menu.id, end)
  await page.reload()
  const day = end.toLocaleDateString('en-US', { dateStyle: 'medium' })
  const note = page.getByRole('status').filter({ hasText: 'See the plans' })
  await expect(note).toContainText(`“Menu” stops working on ${day}.`)
  await note.getByRole('link', { name: 'See the plans' }).click()
  await expect(page).toHaveURL('/subscription')
})

test('a code of a paid plan has no end', async ({ page, member }) => {
  await (await member({ tier: 'starter' })).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await expect(row(page, 'Poster').getByText('Active', { exact: true })).toBeVisible()
  await expect(row(page, 'Poster')).not.toContainText('working on')
})

test('somebody with many codes turns the pages of the table', async ({ page, member }) => {
  const account = await member({ tier: 'unlimited' })
  for (let number = 1; number <= 26; number++) await account.code({ name: `Table ${number}` })
  await page.goto('/dashboard')
  await expect(row(page, 'Table 26')).toBeVisible()
  await expect(row(page, 'Table 1')).toHaveCount(0)
  await page.getByRole('button', { name: 'Page 2' }).click()
  await expect(row(page, 'Table 1')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
})

test.describe('while some calls fail', () => {
  test.use({ expected: /status of (401|500)|^500:/ })

  test('a code whose numbers cannot be read shows zeros, the others their own', async ({
    page,
    member,
  }) => {
    const account = await member()
    const broken = await account.code({ name: 'Poster' })
    const sound = await account.code({ name: 'Flyer' })
    await scan(page, broken.shortCode)
    await scan(page, sound.shortCode)
    await page.route(`/api/analytics/qr-code/${broken.id}?*`, (route) =>
      route.fulfill({ status: 500, body: 'no' }),
    )
    await page.goto('/dashboard')
    await expect(row(page, 'Flyer')).toContainText('1 scan')
    await expect(row(page, 'Poster')).toContainText('0 scans')
    await expect(row(page, 'Poster')).toContainText('0 this month')
  })

  test('somebody whose codes cannot be read is told so, and tries again', async ({
    page,
    member,
  }) => {
    await (await member()).code({ name: 'Poster' })
    await page.route('/api/qr-codes', (route) => route.fulfill({ status: 500, body: 'no' }))
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Your QR codes could not be loaded')
    await page.unroute('/api/qr-codes')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(row(page, 'Poster')).toBeVisible()
  })

  test('the dashboard without its numbers says N/A and counts as on the free plan', async ({
    page,
    member,
  }) => {
    await (await member()).code({ name: 'Poster' })
    await page.route('/api/analytics/user?*', (route) => route.fulfill({ status: 500, body: 'no' }))
    await page.route('/api/user/subscription', (route) =>
      route.fulfill({ status: 500, body: 'no' }),
    )
    await page.goto('/dashboard')
    await expect(figure(page, 'Total Scans')).toHaveText('N/A')
    await expect(figure(page, 'Plan Usage')).toHaveText('0/3 QR codes')
    await expect(row(page, 'Poster')).toBeVisible()
  })

  test('a code that cannot be deleted stays, and the person is told', async ({ page, member }) => {
    const { id } = await (await member()).code({ name: 'Poster' })
    await page.route(`/api/qr-codes/${id}`, (route) => route.fulfill({ status: 500, body: 'no' }))
    await page.goto('/dashboard')
    await action(page, 'Poster', 'Delete').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Error', 'Failed to delete QR code')
    await expect(row(page, 'Poster')).toBeVisible()
  })

  test('somebody whose session has ended is sent to sign in by a delete', async ({
    page,
    context,
    member,
  }) => {
    await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    await action(page, 'Poster', 'Delete').click()
    await context.clearCookies()
    const departure = { saying: 'You are logged out. Logging in again...', from: '/dashboard' }
    await expectSentToSignIn(page, departure, () =>
      page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click(),
    )
  })

  test('a download that fails says so', async ({ page, member }) => {
    const { id } = await (await member()).code({ name: 'Poster' })
    await page.route(`/api/qr-codes/${id}/download-zip`, (route) =>
      route.fulfill({ status: 500, body: 'no' }),
    )
    await page.goto('/dashboard')
    await action(page, 'Poster', 'Download all as zip').click()
    await expectToast(page, 'Error', 'Failed to download QR code')
  })
})
