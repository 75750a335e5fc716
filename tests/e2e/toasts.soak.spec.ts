import type { Page } from '@playwright/test'
import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, openCode, row, save, toasts } from './screens.ts'

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'no-preference',
  expected: /status of 503|503:/,
})

/** The controls that would be pressed in the place of the toast. */
const coveredBy = (page: Page) =>
  page.evaluate(() => {
    const toast = document.querySelector('.mantine-Notification-root')
    if (!toast) return ['no toast']
    const { left, right, top, bottom } = toast.getBoundingClientRect()
    const covered = new Set<string>()
    for (let x = left; x <= right; x += 10) {
      for (let y = top; y <= bottom; y += 10) {
        const shown = document.elementsFromPoint(x, y).find((element) => !toast.contains(element))
        const control = shown?.closest('a, button, input, select')
        if (control) covered.add(control.outerHTML)
      }
    }
    return [...covered]
  })

test('a toast is read out, can be closed, ends, and covers no button', async ({ page, member }) => {
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
  await test.step('on a phone it lies on nothing that is pressed', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await copy.click()
    await expect(toasts(page)).toHaveCount(1)
    expect(await coveredBy(page)).toEqual([])
    await openCode(page, 'Poster')
    await refuse(page, '**/api/qr-codes/*', 503, 'unavailable', 'Back in a minute.')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('QR Code Name').fill('Poster 2')
    await save(dialog).click()
    await expectToast(page, 'Error', 'Back in a minute.')
    expect(await coveredBy(page)).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await save(dialog).click()
    await expectToast(page, 'Success', 'QR code saved successfully!')
    await expect(dialog).toBeHidden()
    await expect.poll(() => coveredBy(page)).toEqual([])
  })
})
