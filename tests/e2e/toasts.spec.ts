import { expect, test } from './fixtures.ts'
import { expectToast, row, toasts } from './screens.ts'

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'no-preference',
})

test('a toast is read out, can be closed, and ends after 5 seconds', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard')
  const copy = row(page, 'Poster').getByRole('button', { name: 'Copy link' })
  await test.step('read out by a screen reader, and closed', async () => {
    await copy.click()
    await expect(page.getByRole('status')).toContainText('URL copied to clipboard!')
    await expect(toasts(page)).toHaveAttribute('data-variant', 'normal')
    await toasts(page).getByRole('button', { name: 'Close' }).click()
    await expect(toasts(page)).toHaveCount(0)
  })
  await test.step('gone after five seconds', async () => {
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
    await copy.click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    await page.clock.runFor(5_000 - 100)
    await expect(toasts(page)).toHaveCount(1)
    await page.clock.runFor(100)
    await expect(toasts(page)).toHaveCount(0)
    await page.clock.resume()
  })
  await test.step('what did not go well interrupts', async () => {
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await copy.click()
    await expect(page.getByRole('alert')).toContainText('Failed to copy URL')
    await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
  })
})
