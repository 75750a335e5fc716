import type { Page } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { choose, creating, dayText, expectToast, figure, openCode, row } from './screens.ts'

/** Any colour that is much more red than anything else. */
const RED = /^rgb\((?:1[5-9]|2[0-5])\d, \d{1,2}, \d{1,2}\)$/

const action = (page: Page, code: string, name: string) =>
  row(page, code).getByRole('button', { name, exact: true })

test('a newcomer is greeted by name on an empty dashboard', async ({ page, member }) => {
  await member({ name: 'Grace Brewster Hopper' })
  await page.goto('/dashboard')
  const header = page.getByRole('banner')
  await expect(header.getByText('Grace', { exact: true })).toBeVisible()
  await expect(header.getByText('FREE', { exact: true })).toBeVisible()

  for (const term of ['Total QR Codes', 'Total Scans', 'This Month']) {
    await expect(figure(page, term)).toHaveText('0')
  }
  await expect(figure(page, 'Plan Usage')).toHaveText('0/3 QR codes')
  await page.getByRole('button', { name: 'Create Your First QR Code' }).click()
  await expect(creating(page)).toBeVisible()
  await page.keyboard.press('Escape')
})

test('the table shows each code with its picture, scans and status', async ({ page, member }) => {
  const account = await member()
  const code = await account.code({ name: 'Poster', url: 'https://example.com/poster' })
  const past = await account.code({ name: 'Last month' })
  const soon = await account.code({ name: 'This week' })
  const end = new Date(Date.now() - 2 * DAY_MS)
  await account.expire(past.id, end)
  for (const _ of ['one', 'two']) expect(await scan(page, code.shortCode)).toBe(302)
  await page.goto('/dashboard')
  const poster = row(page, 'Poster')
  await expect(poster).toContainText(`#${code.id.slice(0, 8)}`)
  const destination = poster.getByRole('link', { name: 'https://example.com/poster' })
  await expect(destination).toHaveAttribute('href', 'https://example.com/poster')
  await expect(destination).toHaveAttribute('title', 'https://example.com/poster')
  await expect(destination).toHaveText('example.com/poster')
  await expect(poster.getByRole('cell').nth(4)).toContainText(dayText(new Date()))
  await expect(poster.getByText('Active', { exact: true })).toBeVisible()
  const thumbnail = poster.locator('img')
  await expect(thumbnail).toHaveAttribute('src', /\/generate\?format=png/)
  await expect
    .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)

  await expect(poster).toContainText('2 scans')
  await expect(poster).toContainText('2 this month')
  await expect(figure(page, 'Plan Usage')).toHaveText('3/3 QR codes')
  await expect(page.getByRole('link', { name: 'Upgrade your plan' })).toHaveAttribute(
    'href',
    '/subscription',
  )
  await expect(figure(page, 'Total Scans')).toHaveText('2')
  await expect(figure(page, 'This Month')).toHaveText('2')

  const expired = row(page, 'Last month').getByText('Expired', { exact: true })
  await expect(expired).toHaveCSS('background-color', RED)
  await expect(row(page, 'Last month')).toContainText(`Stopped working on ${dayText(end)}`)
  await expect(row(page, 'This week').getByText('Active', { exact: true })).toBeVisible()
  const wanted = `Stops working on ${dayText(new Date(soon.expiresAt as string))}`
  await expect(row(page, 'This week')).toContainText(wanted)
  await openCode(page, 'Poster')
  await page.keyboard.press('Escape')
  await expect(action(page, 'Poster', 'Poster')).toBeFocused()
  const names = page.getByRole('row').getByRole('button', { name: /^(Poster|This week)$/ })
  await expect(names).toHaveText(['This week', 'Poster'])
  await page.getByRole('columnheader', { name: 'Stats' }).getByRole('button').click()
  await expect(names).toHaveText(['Poster', 'This week'])
  await expect(page).toHaveURL('/dashboard?sort=-scans')

  const note = page.getByRole('status').filter({ hasText: 'See the plans' })
  await expect(note).toContainText('“Last month” has expired: people who scan it see a page')
  await expect(note).not.toContainText('“This week”')
  const near = new Date(Date.now() + 2 * DAY_MS)
  await account.expire(soon.id, near)
  await page.reload()
  await expect(note).toContainText(`“This week” stops working on ${dayText(near)}.`)
  await note.getByRole('link', { name: 'See the plans' }).click()
  await expect(page).toHaveURL('/subscription')
})

test.describe('while calls fail', () => {
  test.use({ expected: /status of 50[03]|^50[03]:/ })

  test('the dashboard shows the rest and can try again', async ({ page, member }) => {
    const account = await member()
    const broken = await account.code({ name: 'Poster' })
    const sound = await account.code({ name: 'Flyer' })
    for (const { shortCode } of [broken, sound]) await scan(page, shortCode)
    for (const address of [
      '/api/qr-codes',
      `/api/analytics/qr-code/${broken.id}?*`,
      '/api/analytics/user?*',
      '/api/user/subscription',
      '/api/analytics/daily-breakdown*',
      `/api/qr-codes/${broken.id}`,
      `/api/qr-codes/${broken.id}/download-zip`,
    ]) {
      await refuse(page, address, 500)
    }
    await refuse(page, '/api/auth/user', 503, 'unavailable', 'Back in a minute.')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const tryAgain = page.getByRole('button', { name: 'Try again' })
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Back in a minute.')
    await page.unroute('/api/auth/user')
    await tryAgain.click()
    const chart = page.getByRole('region', { name: 'Scans Overview' })
    await expect(chart.getByText('The chart couldn’t be loaded')).toBeVisible()
    await page.unroute('/api/analytics/daily-breakdown*')
    await chart.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('figure', { name: '2 scans in the last 30 days' })).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('Your QR codes couldn’t be loaded')
    // No failed read is made a second time.
    expect(asked.filter((path) => path === '/api/qr-codes')).toHaveLength(1)
    await page.unroute('/api/qr-codes')
    await tryAgain.click()
    await expect(row(page, 'Flyer')).toContainText('1 scan')
    await expect(row(page, 'Poster')).toContainText('0 scans')
    await expect(figure(page, 'Total Scans')).toHaveText('N/A')
    await expect(figure(page, 'Plan Usage')).toHaveText('N/A')

    await choose(page, 'Poster', 'Download all as zip')
    await expectToast(page, 'Error', 'Failed to download QR code')
    await choose(page, 'Poster', 'Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectToast(page, 'Error', 'Failed to delete QR code')
    await expect(row(page, 'Poster')).toBeVisible()
  })
})
