import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { editing, expectToast, openCode, openNewCode } from './screens.ts'

const button = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const copy = (dialog: Locator) => button(dialog, 'Copy link')
const FILES = ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF']

test.describe('Copy beside the preview', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

  test('copies the link that the picture holds', async ({ page, member, server }) => {
    const code = await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await copy(dialog).click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    expect(await copied(page)).toBe(`${server.origin}/qr/${code.shortCode}`)
    await expect(dialog).toBeVisible()
  })

  test('says where the browser does not let it', async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'))
    })
    await copy(dialog).click()
    await expectToast(page, 'Error', 'Failed to copy URL')
  })

  test('waits while a custom URL is not saved, and then copies that', async ({
    page,
    member,
    server,
  }) => {
    await (await member({ tier: 'professional' })).code({ name: 'Poster' })
    await page.goto('/dashboard')
    const path = `copied-${process.pid}-${Date.now()}`
    const dialog = await openCode(page, 'Poster')
    await dialog.getByLabel('Custom URL (Optional)').fill(path)
    await expect(copy(dialog)).toBeDisabled()
    await button(dialog, 'Save QR Code').click()
    await expect(dialog).toBeHidden()
    await openCode(page, 'Poster')
    await copy(dialog).click()
    await expectToast(page, 'Success', 'URL copied to clipboard!')
    expect(await copied(page)).toBe(`${server.origin}/qr/${path}`)
  })

  test('is not there for a code whose link does not work yet', async ({ page, member }) => {
    await member()
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await expect(dialog.getByRole('img', { name: 'QR code preview' })).toBeVisible()
    await expect(copy(dialog)).toHaveCount(0)
  })
})

test.describe('what must be known before printing', () => {
  const ghost = { name: 'Ghost', foregroundColor: '#FFFFFF' }
  const WARNINGS = /Cannot be scanned.*Stops working on .*Scans on this device only/

  test('describes Save and every file', async ({ page, member }) => {
    await (await member()).code(ghost)
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Ghost')
    for (const name of [...FILES, 'Save QR Code']) {
      await expect(button(dialog, name)).toHaveAccessibleDescription(WARNINGS)
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(button(await openNewCode(page), 'Save QR Code')).toHaveAccessibleDescription(
      /Stops working on .* if saved today/,
    )
  })

  for (const width of [390, 768, 1440]) {
    test(`is in sight beside them on a screen of ${width} px`, async ({ page, member }) => {
      await page.setViewportSize({ width, height: 844 })
      await (await member()).code(ghost)
      await page.goto('/dashboard')
      await openCode(page, 'Ghost')
      const dialog = editing(page)
      const warnings = dialog.getByText('Cannot be scanned')
      const end = dialog.getByText(/^Stops working on/)
      for (const name of ['Save QR Code', ...FILES]) {
        await button(dialog, name).scrollIntoViewIfNeeded()
        for (const shown of [button(dialog, name), warnings, end]) {
          await expect(shown).toBeInViewport({ ratio: 1 })
        }
      }
    })
  }

  test('is nothing for a code that lasts and can be scanned by anyone', async ({
    page,
    member,
  }) => {
    await (await member({ tier: 'starter' })).code({ name: 'Poster' })
    await page.route('/api/config', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), hostUrl: 'https://qr.example' } })
    })
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await expect(dialog.getByText('Scans: excellent')).toBeVisible()
    for (const name of [...FILES, 'Save QR Code']) {
      await expect(button(dialog, name)).toHaveAccessibleDescription('')
    }
  })
})

test('on a phone the picture is in sight while its colours are chosen', async ({
  page,
  member,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await dialog.getByRole('radio', { name: 'Gold' }).click()
  const preview = dialog.getByRole('img', { name: 'QR code preview' })
  await expect(preview).toHaveAttribute('src', /fg=%23d97706/)
  const small = dialog.locator('img[alt=""]')
  await expect(small).toBeInViewport({ ratio: 1 })
  expect(await small.getAttribute('src')).toBe(await preview.getAttribute('src'))
})
