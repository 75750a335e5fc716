import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { editing, expectToast, openCode, openNewCode, row } from './screens.ts'

const button = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const copy = (dialog: Locator) => button(dialog, 'Copy link')
const FILES = ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF']
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', { dateStyle: 'medium' })

test.describe('Copy beside the preview', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('copies the saved link, waits for an unsaved one, and says what the browser refuses', async ({
    page,
    member,
    server,
  }) => {
    const { shortCode } = await (await member({ tier: 'professional' })).code({ name: 'Poster' })
    const path = `copied-${process.pid}-${Date.now()}`
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await copy(dialog).click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    expect(await copied(page)).toBe(`${server.origin}/qr/${shortCode}`)
    await expect(dialog).toBeVisible()

    await dialog.getByLabel('Custom URL (Optional)').fill(path)
    await expect(copy(dialog)).toBeDisabled()
    await button(dialog, 'Save QR Code').click()
    await expect(dialog).toBeHidden()
    await openCode(page, 'Poster')
    await copy(dialog).click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    expect(await copied(page)).toBe(`${server.origin}/qr/${path}`)

    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await copy(dialog).click()
    await expectToast(page, 'Error', 'Failed to copy URL')
    await page.keyboard.press('Escape')

    // The link of a new code does not work yet.
    const draft = await openNewCode(page)
    await expect(draft.getByRole('img', { name: 'QR code preview' })).toBeVisible()
    await expect(copy(draft)).toHaveCount(0)
  })
})

test('what must be known before printing is in sight of Save and every file, and describes them', async ({
  page,
  member,
  server,
}) => {
  await (await member()).code({ name: 'Ghost', foregroundColor: '#FFFFFF' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Ghost')
  const warning = dialog.locator('#print-notes').getByText('Rarely scans')
  const end = dialog.getByText(/^Stops working on/)
  await expect(end).toHaveText(`Stops working on ${inDays(14)}`)
  for (const name of [...FILES, 'Save QR Code']) {
    await expect(button(dialog, name)).toHaveAccessibleDescription(
      /Rarely scans.*Stops working on .*Scans on this device only/,
    )
  }
  for (const width of [1440, 768, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const name of ['Save QR Code', ...FILES]) {
      await button(dialog, name).scrollIntoViewIfNeeded()
      for (const shown of [button(dialog, name), warning, end]) {
        await expect(shown).toBeInViewport({ ratio: 1 })
      }
    }
  }

  // On a phone the picture is in sight while its colours are chosen.
  await dialog.getByRole('radio', { name: 'Gold' }).click()
  const preview = dialog.getByRole('img', { name: 'QR code preview' })
  await expect(preview).toHaveAttribute('src', /fg=%23d97706/)
  const small = dialog.locator('img[alt=""]')
  await expect(small).toBeInViewport({ ratio: 1 })
  expect(await small.getAttribute('src')).toBe(await preview.getAttribute('src'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()

  const draft = await openNewCode(page)
  await expect(button(draft, 'Save QR Code')).toHaveAccessibleDescription(
    /Stops working on .* if saved today/,
  )
  await expect(draft).toContainText(`Stops working on ${inDays(14)}`)
  await expect(draft).toContainText(
    `${new URL(server.origin).host} is a private address: this code will not scan on other devices.`,
  )
})

test('nothing is said of a code that lasts and that anybody can scan', async ({ page, member }) => {
  await (await member({ tier: 'starter' })).code({ name: 'Poster' })
  await page.route('/api/config', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ json: { ...(await response.json()), hostUrl: 'https://qr.example' } })
  })
  await page.goto('/dashboard')
  await expect(row(page, 'Poster').getByText('Active', { exact: true })).toBeVisible()
  await expect(row(page, 'Poster')).not.toContainText('working on')
  await openCode(page, 'Poster')
  await expect(editing(page).getByText('Scans: excellent')).toBeVisible()
  for (const name of [...FILES, 'Save QR Code']) {
    await expect(button(editing(page), name)).toHaveAccessibleDescription('')
  }
  await page.keyboard.press('Escape')
  await expect(await openNewCode(page)).not.toContainText('working on')
})
