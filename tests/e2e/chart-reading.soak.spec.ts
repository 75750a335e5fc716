import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const overview = (page: Page) => page.getByRole('region', { name: 'Scans Overview' })
const bars = (page: Page) => overview(page).locator('figure svg path')
const tooltip = (page: Page) => page.getByRole('tooltip')

/** Mocks thirty days of scans, the last two with scans of these codes: one of the first, two of the second… */
async function withCodes(page: Page, names: string[]): Promise<void> {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const date = new Date(Date.UTC(2026, 9, 22 + index)).toISOString().slice(0, 10)
    const cells = names.map((name, place) => [name, index >= 28 ? place + 1 : 0])
    return { date, ...Object.fromEntries(cells) }
  })
  await page.route('/api/analytics/daily-breakdown*', (route) => route.fulfill({ json: rows }))
}

const many = Array.from({ length: 23 }, (_, index) => `Table ${index + 1}`)

test('the chart stacks the codes of a day, and its legend hides some', async ({ page, member }) => {
  await member()
  await withCodes(page, ['Menu', 'Poster', 'منيو المطعم'])
  await page.goto('/dashboard')
  await expect(bars(page)).toHaveCount(3)
  const [lower, upper] = await bars(page).evaluateAll((all) =>
    all.map((bar) => bar.getBoundingClientRect().toJSON()),
  )
  expect(upper.left).toBe(lower.left)
  expect(upper.bottom).toBeCloseTo(lower.top, 0)
  const legend = overview(page).getByRole('toolbar', { name: 'QR codes in the chart' })
  const poster = legend.getByRole('button', { name: 'Poster' })
  await expect(poster).toHaveAttribute('aria-pressed', 'true')
  await poster.click()
  await expect(poster).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('ArrowRight')
  await expect(legend.getByRole('button', { name: 'Menu' })).toBeFocused()

  await overview(page).getByText('Show as a table').click()
  const table = overview(page).getByRole('table', { name: 'Scans of the last 30 days' })
  await expect(table.getByRole('columnheader')).toHaveText(['Day', 'All', 'منيو المطعم', 'Menu'])
  await expect(table.getByRole('row').nth(1)).toHaveText('Nov 20, 2026431')
  await expect(table.getByRole('row').last()).toHaveText('All days862')

  await page.getByRole('link', { name: 'Profile' }).click()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(poster).toHaveAttribute('aria-pressed', 'false')
  await overview(page).getByRole('button', { name: 'Show all' }).click()
  await expect(poster).toHaveAttribute('aria-pressed', 'true')
})

test('a day of many codes is read by pointer and by keyboard', async ({ page, member }) => {
  await member()
  await withCodes(page, many)
  await page.goto('/dashboard')
  const bars = overview(page).locator('figure svg').first()
  const box = await bars.boundingBox()
  if (!box) throw new Error('no bars')
  const lastDay = { x: box.width - 2, y: box.height / 2 }
  await bars.hover({ position: lastDay })
  await expect(tooltip(page)).toContainText('276 scans')
  await bars.click({ position: lastDay })
  // The three that 'Other' adds up are named, too.
  const last = tooltip(page).getByText('Table 1', { exact: true })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport()
  await expect(tooltip(page)).toContainText('Table 1 1 scan')
  const [card, shown] = await Promise.all([
    overview(page).boundingBox(),
    tooltip(page).boundingBox(),
  ])
  if (!card || !shown) throw new Error('no tooltip')
  expect(shown.y).toBeGreaterThan(card.y)
  expect(shown.y + shown.height).toBeLessThan(card.y + card.height)
  await page.keyboard.press('Escape')
  await expect(tooltip(page)).toBeHidden()

  const day = overview(page).getByRole('slider', { name: 'Day' })
  await day.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(day).toHaveAttribute('aria-valuetext', 'Nov 19, 2026: 276 scans')
  await expect(tooltip(page)).toContainText('Nov 19, 2026')
  await page.keyboard.press('Home')
  await expect(day).toHaveAttribute('aria-valuetext', 'Oct 22, 2026: 0 scans')
})
