import type { Page } from '@playwright/test'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import { row } from './screens.ts'

const tooltip = (page: Page) => page.getByRole('tooltip')
const profile = (page: Page) => page.getByRole('link', { name: 'Profile' })
const logout = (page: Page) => page.getByRole('link', { name: 'Logout' })
const title = (page: Page) => page.getByRole('heading', { level: 1 })

/** The dashboard with one code, whose time stands still. */
async function stand(page: Page, member: () => Promise<Account>) {
  await (await member()).code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(title(page)).toBeVisible()
  await expect(row(page, 'Poster')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Leaves the control: its tooltip closes, and the next one is not shown at once. */
async function leave(page: Page) {
  await title(page).hover()
  await expect(tooltip(page)).toHaveCount(0)
  await page.clock.runFor(5_000)
}

/** Reaches the profile’s link by the Tab key. */
async function tabToProfile(page: Page) {
  await profile(page).focus()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  await expect(profile(page)).toBeFocused()
  await expect(tooltip(page)).toHaveText('Profile')
}

test('a pointer that rests and the keyboard show a tooltip', async ({ page, member }) => {
  await stand(page, member)
  await test.step('once it has rested for 700 ms, beside its control', async () => {
    await profile(page).hover()
    await page.clock.runFor(699)
    await expect(tooltip(page)).toHaveCount(0)
    await page.clock.runFor(1)
    await expect(tooltip(page)).toHaveText('Profile')
  })
  await leave(page)
  await test.step('but not a pointer that only passes', async () => {
    await profile(page).hover()
    await page.clock.runFor(699)
    await title(page).hover()
    await page.clock.runFor(5_000)
    await expect(tooltip(page)).toHaveCount(0)
  })
  await test.step('until Esc, which keeps it closed under a resting pointer', async () => {
    await profile(page).hover()
    await page.clock.runFor(700)
    await expect(tooltip(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(tooltip(page)).toHaveCount(0)
    await page.clock.runFor(5_000)
    await expect(tooltip(page)).toHaveCount(0)
  })
  await leave(page)
  await test.step('the keyboard shows it at once, until Esc closes it and leaves the focus', async () => {
    await tabToProfile(page)
    await page.keyboard.press('Tab')
    await expect(tooltip(page)).toHaveText('Log out')
    await page.keyboard.press('Escape')
    await expect(tooltip(page)).toHaveCount(0)
    await expect(logout(page)).toBeFocused()
  })
  await test.step('until the control is pressed', async () => {
    await tabToProfile(page)
    await profile(page).evaluate((link) =>
      link.addEventListener('click', (event) => event.preventDefault(), { capture: true }),
    )
    await page.keyboard.press('Enter')
    await expect(tooltip(page)).toHaveCount(0)
    await expect(profile(page)).toBeFocused()
  })
})
