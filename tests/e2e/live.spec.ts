import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { row } from './screens.ts'

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

const total = (page: Page) =>
  page
    .getByRole('term')
    .filter({ hasText: /^Total Scans/ })
    .locator('xpath=following-sibling::dd[1]')

/** A page cannot be hidden from outside: it is told that it is. */
async function show(page: Page, state: 'visible' | 'hidden') {
  await page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)
}

test('two tabs have one stream, a scan appears in both without a reload, and hidden ones have none', async ({
  page,
  context,
  member,
}) => {
  const { shortCode } = await (await member()).code({ name: 'Menu card' })
  const other = await context.newPage()
  const [ofPage, ofOther] = [streamsOf(page), streamsOf(other)]
  const streams = () => ofPage.size + ofOther.size
  for (const tab of [page, other]) {
    await tab.goto('/dashboard')
    await expect(row(tab, 'Menu card')).toContainText('0 scans')
    await tab.keyboard.press('Shift')
  }
  await expect.poll(streams).toBe(1)

  expect(await scan(page, shortCode)).toBe(302)
  for (const tab of [page, other]) {
    await expect(total(tab)).toContainText('1')
    await expect(row(tab, 'Menu card')).toContainText('1 scan')
    await expect(tab.getByRole('figure', { name: /^1 scan in the last 30 days/ })).toBeVisible()
  }
  expect(streams()).toBe(1)

  // The other tab takes over, and misses nothing.
  await show(page, 'hidden')
  await expect.poll(() => [ofPage.size, ofOther.size]).toEqual([0, 1])
  expect(await scan(page, shortCode)).toBe(302)
  await expect(row(other, 'Menu card')).toContainText('2 scans')
  await show(other, 'hidden')
  await expect.poll(streams).toBe(0)
  expect(await scan(page, shortCode)).toBe(302)
  await show(page, 'visible')
  await expect(row(page, 'Menu card')).toContainText('3 scans')
  expect(streams()).toBe(1)
  await expect(total(page)).toContainText('3')
})
