import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { openCode, row } from './screens.ts'

const tooltip = (page: Page) => page.getByRole('tooltip')
const profile = (page: Page) => page.getByRole('link', { name: 'Profile' })
const logout = (page: Page) => page.getByRole('link', { name: 'Logout' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

test.beforeEach(async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(title(page)).toBeVisible()
  await expect(row(page, 'Poster')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
})

test('a tooltip shows once the pointer has rested for 700 ms', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(699)
  await expect(tooltip(page)).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(tooltip(page)).toHaveText('Profile')
  await expect(tooltip(page)).toBeVisible()
})

test('a tooltip stands beside its control', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await expect(tooltip(page)).toBeVisible()
  const [control, label] = [await profile(page).boundingBox(), await tooltip(page).boundingBox()]
  const middle = (box: typeof control) => (box ? box.x + box.width / 2 : Number.NaN)
  expect(Math.abs(middle(control) - middle(label))).toBeLessThan(2)
  expect(label?.y).toBeGreaterThanOrEqual((control?.y ?? 0) + (control?.height ?? 0))
})

test('a tooltip closes as the pointer leaves', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await expect(tooltip(page)).toBeVisible()
  await title(page).hover()
  await expect(tooltip(page)).toHaveCount(0)
})

test('a pointer that only passes shows nothing', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(699)
  await title(page).hover()
  await page.clock.runFor(5_000)
  await expect(tooltip(page)).toHaveCount(0)
})

test('less than 300 ms after one has closed the next shows at once', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await expect(tooltip(page)).toHaveText('Profile')
  await logout(page).hover()
  await expect(tooltip(page)).toHaveText('Log out')
  await title(page).hover()
  await expect(tooltip(page)).toHaveCount(0)
  await page.clock.runFor(299)
  await profile(page).hover()
  await expect(tooltip(page)).toHaveText('Profile')
})

test('300 ms after one has closed the next waits again', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await title(page).hover()
  await page.clock.runFor(300)
  await logout(page).hover()
  await page.clock.runFor(699)
  await expect(tooltip(page)).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(tooltip(page)).toHaveText('Log out')
})

test('the keyboard shows a tooltip, and Esc closes it', async ({ page }) => {
  await profile(page).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(profile(page)).toBeFocused()
  await expect(tooltip(page)).toHaveText('Profile')
  await page.keyboard.press('Tab')
  await expect(tooltip(page)).toHaveText('Log out')
  await page.keyboard.press('Escape')
  await expect(tooltip(page)).toHaveCount(0)
  await expect(logout(page)).toBeFocused()
})

test('Esc closes a tooltip under a resting pointer', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await expect(tooltip(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tooltip(page)).toHaveCount(0)
  await page.clock.runFor(5_000)
  await expect(tooltip(page)).toHaveCount(0)
})

test('pressing a button closes its tooltip', async ({ page }) => {
  await profile(page).hover()
  await page.clock.runFor(700)
  await expect(tooltip(page)).toBeVisible()
  await page.mouse.down()
  await expect(tooltip(page)).toHaveCount(0)
})

test('the keyboard’s press closes it too', async ({ page }) => {
  await profile(page).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(tooltip(page)).toHaveText('Profile')
  await profile(page).evaluate((link) =>
    link.addEventListener('click', (event) => event.preventDefault(), { capture: true }),
  )
  await page.keyboard.press('Enter')
  await expect(tooltip(page)).toHaveCount(0)
  await expect(profile(page)).toBeFocused()
})

const elsewhere = [
  { label: 'Keyboard shortcuts', reach: async () => {} },
  {
    label: 'Clear selection',
    reach: (page: Page) => page.getByRole('checkbox', { name: 'Select Poster' }).check(),
  },
  { label: 'Copy link', reach: (page: Page) => openCode(page, 'Poster') },
]

for (const { label, reach } of elsewhere) {
  test(`“${label}” waits for the same rest`, async ({ page }) => {
    await page.clock.resume()
    await reach(page)
    await page.clock.pauseAt(Date.now() + 120_000)
    // What has opened stands after the list behind it.
    await page.getByRole('button', { name: label }).last().hover()
    await page.clock.runFor(699)
    await expect(tooltip(page)).toHaveCount(0)
    await page.clock.runFor(1)
    await expect(tooltip(page)).toHaveText(label)
  })
}
