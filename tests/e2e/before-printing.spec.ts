import type { Locator } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { changeAnswer } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { dayText, editing, goToCode, openCode, openNewCode, preview, row } from './screens.ts'

const button = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const FILES = ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF']
const in14Days = () => dayText(Date.now() + 14 * DAY_MS)

test('notes before printing are beside Save and every file', async ({ page, member, server }) => {
  await (await member()).code({ name: 'Ghost', foregroundColor: '#FFFFFF' })
  const dialog = await goToCode(page, 'Ghost')
  const warning = dialog.locator('#print-notes').getByText('Rarely scans')
  const end = dialog.getByText(/^Stops working on/)
  await expect(end).toHaveText(`Stops working on ${in14Days()}`)
  for (const name of [...FILES, 'Save QR Code']) {
    await expect(button(dialog, name)).toHaveAccessibleDescription(
      /Rarely scans.*Stops working on .*Scans on this device only/,
    )
  }
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    for (const name of ['Save QR Code', 'SVG', 'PDF']) {
      await button(dialog, name).scrollIntoViewIfNeeded()
      for (const shown of [button(dialog, name), warning, end]) {
        await expect(shown).toBeInViewport({ ratio: 1 })
      }
    }
  }

  // On a phone the picture is in sight while its colours are chosen.
  await dialog.getByRole('radio', { name: 'Gold' }).click()
  await expect(preview(dialog)).toHaveAttribute('src', /fg=%23d97706/)
  const small = dialog.locator('img[alt=""]')
  await expect(small).toBeInViewport({ ratio: 1 })
  expect(await small.getAttribute('src')).toBe(await preview(dialog).getAttribute('src'))
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()

  const draft = await openNewCode(page)
  await expect(button(draft, 'Save QR Code')).toHaveAccessibleDescription(
    /Stops working on .* if saved today/,
  )
  await expect(draft).toContainText(`Stops working on ${in14Days()}`)
  await expect(draft).toContainText(
    `${new URL(server.origin).host} is a private address: this code will not scan on other devices.`,
  )

  const owner = await member({ tier: 'starter' })
  await owner.code({ name: 'Poster' })
  await changeAnswer(page, '/api/config', { hostUrl: 'https://qr.example' })
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
