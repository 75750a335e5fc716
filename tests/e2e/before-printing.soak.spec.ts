import type { Locator } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { expect, test } from './fixtures.ts'
import { dayText, goToCode, openNewCode, preview } from './screens.ts'

const button = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const FILES = ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF']
const PHONE = { width: 390, height: 844 }
const in14Days = () => dayText(Date.now() + 14 * DAY_MS)

test('a form says where its code leads and what to know', async ({ page, member, server }) => {
  const { host } = new URL(server.origin)
  await (await member()).code({ name: 'Ghost', foregroundColor: '#FFFFFF' })
  await page.setViewportSize(PHONE)
  const dialog = await goToCode(page, 'Ghost')
  const formats = button(dialog, 'All formats')
  await test.step('on a phone name, destination, picture and Save are seen without a scroll', async () => {
    await expect(dialog.getByText('Hard to scan')).toBeVisible()
    const { y: edge = 0 } = (await button(dialog, 'Save QR Code').boundingBox()) ?? {}
    expect(edge).toBeLessThan(PHONE.height)
    const first = ['QR Code Name', 'Destination URL'].map((label) => dialog.getByLabel(label))
    for (const seen of [...first, preview(dialog), button(dialog, 'Download PNG')]) {
      const { y = 0, height = 0 } = (await seen.boundingBox()) ?? {}
      expect(y).toBeGreaterThan(0)
      expect(y + height).toBeLessThan(edge)
    }
    await expect(button(dialog, 'SVG')).toBeHidden()
    await formats.click()
  })
  const end = dialog.getByText(/^Stops working on/)
  await expect(end).toHaveText(`Stops working on ${in14Days()}`)
  await expect(dialog.getByText('is a private address')).toHaveCount(1)
  for (const name of ['Download PNG', ...FILES, 'Save QR Code']) {
    const wanted = /Hard to scan.*Stops working on .* is a private address: this code won’t scan/
    await expect(button(dialog, name)).toHaveAccessibleDescription(wanted)
  }

  // The picture and a bad verdict are in sight while its colors are chosen.
  await dialog.getByRole('radio', { name: 'Rose' }).click()
  await dialog.getByLabel('Foreground color').fill('#fff')
  await expect(preview(dialog)).toHaveAttribute('src', /fg=%23fff&/)
  const small = dialog.locator('img[alt=""]')
  await expect(small).toBeInViewport({ ratio: 1 })
  await expect(small.locator('..')).toContainText('Hard to scan')
  expect(await small.getAttribute('src')).toBe(await preview(dialog).getAttribute('src'))

  await test.step('on a desk the picture, its verdict and the files stay while the fields scroll', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect(formats).toHaveCount(0)
    const last = dialog.getByRole('button', { name: 'Printing options' })
    for (const place of [last, dialog.getByLabel('QR Code Name')]) {
      await place.scrollIntoViewIfNeeded()
      const pinned = [preview(dialog), dialog.getByText('Hard to scan'), end]
      const files = FILES.map((name) => button(dialog, name))
      for (const shown of [...pinned, ...files, button(dialog, 'Save QR Code')]) {
        await expect(shown).toBeInViewport({ ratio: 1 })
      }
    }
  })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()

  const draft = await openNewCode(page)
  await expect(button(draft, 'Save QR Code')).toHaveAccessibleDescription(
    `Scans: excellent On the Free plan, this code stops working on ${in14Days()} if you save it today. ${host} is a private address: this code won’t scan on other devices.`,
  )
  await expect(draft.getByText(/working on|a private address/)).toHaveCount(2)
})
