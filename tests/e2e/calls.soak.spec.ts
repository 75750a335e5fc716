import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { row } from './screens.ts'

/** Calls of the script, and those that the browser makes ahead because the page's headers say so. */
const CALL_TYPES = ['fetch', 'other']

/** Records a page's calls of the API from now on, as method and path, without pictures. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!CALL_TYPES.includes(request.resourceType()) || !pathname.startsWith('/api/')) return
    calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

test('the dashboard makes each of its calls once', async ({ page, member }) => {
  const account = await member()
  const codes = [await account.code({ name: 'Poster' }), await account.code({ name: 'Flyer' })]
  const calls = callsOf(page)
  const charts: string[] = []
  page.on('request', (request) => /scans-chart-/.test(request.url()) && charts.push(request.url()))
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('0 scans')
  await expect(row(page, 'Flyer')).toContainText('0 scans')
  await expect(page.getByText('No scan data available yet')).toBeVisible()
  expect(calls.sort()).toEqual(
    [
      'GET /api/auth/user',
      'GET /api/config',
      'GET /api/user/subscription',
      'GET /api/qr-codes',
      'GET /api/analytics/user',
      'GET /api/analytics/daily-breakdown',
      ...codes.map(({ id }) => `GET /api/analytics/qr-code/${id}`),
    ].sort(),
  )
  expect(charts).toEqual([])

  // From then on only a scan changes what was read.
  const stream = page.waitForRequest(/\/api\/analytics\/stream/)
  await page.keyboard.press('Shift')
  await stream
  calls.length = 0
  await page.clock.fastForward('24:00:00')
  await page.evaluate(() => {
    for (const event of ['visibilitychange', 'focus', 'online']) {
      window.dispatchEvent(new Event(event))
    }
  })
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(row(page, 'Poster')).toContainText('0 scans')
  expect(calls).toEqual([])
})
