import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'

const overview = (page: Page) => page.getByRole('region', { name: 'Scans Overview' })
const bars = (page: Page) => overview(page).locator('figure svg path')

/** Thirty days of which the last has these scans, and the others none. */
async function withScans(page: Page, scans: Record<string, number>): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const date = new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10)
    const share = index === 29 ? 1 : 0
    const cells = Object.entries(scans).map(([name, count]) => [name, share * count])
    return { date, ...Object.fromEntries(cells) }
  })
  await page.route('/api/analytics/daily-breakdown*', (route) => route.fulfill({ json: rows }))
}

test('the chart says what it will show, and then stacks the codes of each day', async ({
  page,
  member,
}) => {
  const account = await member()
  await test.step('a newcomer reads what it will show', async () => {
    await page.goto('/dashboard')
    const section = overview(page)
    await expect(section.getByRole('heading', { name: 'Scans Overview' })).toBeVisible()
    await expect(
      section.getByText('Daily scans for the last 30 days, broken down by QR code'),
    ).toBeVisible()
    await expect(section.getByText('No scan data available yet')).toBeVisible()
  })
  await test.step('a scan of today stands in it', async () => {
    const { shortCode } = await account.code({ name: 'Poster' })
    expect(await scan(page, shortCode)).toBe(302)
    await page.goto('/dashboard')
    await expect(page.getByRole('figure', { name: '1 scan in the last 30 days' })).toBeVisible()
    await expect(bars(page)).toHaveCount(1)
  })
  await test.step('a day shows its date and the codes that were scanned', async () => {
    await withScans(page, { Menu: 12, Poster: 3, Flyer: 0 })
    await page.goto('/dashboard')
    await expect(bars(page)).toHaveCount(2)
    const [menu, poster] = await bars(page).evaluateAll((all) =>
      all.map((bar) => bar.getBoundingClientRect().toJSON()),
    )
    expect(poster.left).toBe(menu.left)
    expect(poster.bottom).toBeCloseTo(menu.top, 0)
    await bars(page).first().hover()
    const tooltip = page.getByRole('tooltip')
    await expect(tooltip).toHaveText('Nov 20, 202615 scansMenu 12 scansPoster 3 scans')
    await expect(tooltip).not.toContainText('Flyer')
    await page.unrouteAll()
  })
  await test.step('the eleventh code has the colour of the first', async () => {
    const scans = Array.from({ length: 11 }, (_, index) => [`Code ${index}`, 50 - index])
    await withScans(page, Object.fromEntries(scans))
    await page.goto('/dashboard')
    await expect(bars(page)).toHaveCount(11)
    const fills = await bars(page).evaluateAll((all) => all.map((bar) => bar.getAttribute('fill')))
    expect(new Set(fills).size).toBe(10)
    expect(fills[10]).toBe(fills[0])
  })
})

test.describe('while the chart cannot be read', () => {
  test.use({ expected: /status of 500|^500:/ })
  test('somebody is told so, and tries again', async ({ page, member }) => {
    await member()
    await page.route('/api/analytics/daily-breakdown*', (route) =>
      route.fulfill({ status: 500, body: 'no' }),
    )
    await page.goto('/dashboard')
    await expect(overview(page).getByText('The chart could not be loaded')).toBeVisible()
    await page.unroute('/api/analytics/daily-breakdown*')
    await overview(page).getByRole('button', { name: 'Try again' }).click()
    await expect(overview(page).getByText('No scan data available yet')).toBeVisible()
  })
})
