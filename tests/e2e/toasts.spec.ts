import { expect, test } from './fixtures.ts'
import { choose, expectToast, row, toasts } from './screens.ts'

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'no-preference',
})

test('the newest toast takes the place of the one before at once', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const poster = row(page, 'Poster')
  await expect(poster).toBeVisible()
  await page.evaluate(() => {
    const most = { shown: 0 }
    Object.assign(window, { most })
    new MutationObserver(() => {
      const { length } = document.querySelectorAll('.mantine-Notification-root')
      most.shown = Math.max(most.shown, length)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await poster.getByRole('button', { name: 'Copy link' }).click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await choose(page, 'Poster', 'Pause')
  await expectToast(page, 'Success', 'QR code paused', 'Undo')
  await poster.getByRole('button', { name: 'Copy link' }).click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  expect(
    await page.evaluate(() => (window as never as { most: { shown: number } }).most.shown),
  ).toBe(1)
})

test('a toast is gone after five seconds', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toBeVisible()
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await row(page, 'Poster').getByRole('button', { name: 'Copy link' }).click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await page.clock.runFor(5_000 - 100)
  await expect(toasts(page)).toHaveCount(1)
  await page.clock.runFor(100)
  await expect(toasts(page)).toHaveCount(0)
})

test('a toast can be closed before that', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await row(page, 'Poster').getByRole('button', { name: 'Copy link' }).click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  await toasts(page).getByRole('button', { name: 'Close' }).click()
  await expect(toasts(page)).toHaveCount(0)
})

test('a toast tells a screen reader what went well, and interrupts with what did not', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const copy = row(page, 'Poster').getByRole('button', { name: 'Copy link' })
  await copy.click()
  await expect(page.getByRole('status')).toContainText('URL copied to clipboard!')
  await expect(toasts(page)).toHaveAttribute('data-variant', 'normal')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
  })
  await copy.click()
  await expect(page.getByRole('alert')).toContainText('Failed to copy URL')
  await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
})
