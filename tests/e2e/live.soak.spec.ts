import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { figure, row } from './screens.ts'

const isStream = (url: string) => url.includes('/api/analytics/stream')

/** The streams that a page has begun and not ended. */
function streamsOf(page: Page) {
  const open = new Set<unknown>()
  page.on('request', (request) => {
    if (isStream(request.url())) open.add(request)
  })
  page.on('requestfailed', (request) => void open.delete(request))
  page.on('requestfinished', (request) => void open.delete(request))
  return open
}

/** Sets a page's visibility by its event, as a browser without a window cannot be hidden. */
async function show(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

test('a visible page has a stream of scans, a hidden one has none', async ({ page, member }) => {
  const { shortCode } = await (await member()).code({ name: 'Menu card' })
  const streams = streamsOf(page)
  await page.goto('/dashboard')
  await expect(row(page, 'Menu card')).toContainText('0 scans')
  await page.keyboard.press('Shift')
  await expect.poll(() => streams.size).toBe(1)

  expect(await scan(page, shortCode)).toBe(302)
  await expect(figure(page, 'Total Scans')).toContainText('1')
  await expect(row(page, 'Menu card')).toContainText('1 scan')
  await expect(page.getByRole('figure', { name: /^1 scan in the last 30 days/ })).toBeVisible()
  expect(streams.size).toBe(1)

  await show(page, 'hidden')
  await expect.poll(() => streams.size).toBe(0)
  expect(await scan(page, shortCode)).toBe(302)
  await show(page, 'visible')
  await expect(row(page, 'Menu card')).toContainText('2 scans')
  await expect(figure(page, 'Total Scans')).toContainText('2')
  await expect.poll(() => streams.size).toBe(1)
})
