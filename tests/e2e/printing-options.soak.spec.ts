import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { decodePicture } from '../support/decode.ts'
import { refuse } from './changed-answers.ts'
import { downloaded } from './files.ts'
import { expect, test } from './fixtures.ts'
import {
  closeToasts,
  editing,
  goToCode,
  openCode,
  preview,
  row,
  saveAndClose,
  scanCheck,
} from './screens.ts'

const options = (dialog: Locator) => dialog.getByRole('button', { name: 'Printing options' })
const level = (dialog: Locator, name: string) =>
  dialog.getByRole('radiogroup', { name: 'Error correction' }).getByRole('radio', { name })
const compact = (dialog: Locator) => dialog.getByRole('switch', { name: 'Compact code' })
const file = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true })
const printSize = (dialog: Locator) => dialog.getByRole('textbox', { name: 'Print size' })

test('printing options are kept, and files have the print size', async ({ page, member }) => {
  const code = await (await member()).code({ name: 'Poster' })
  const version = new RegExp(`v=${code.pictureVersion}$`)
  const thumbnail = row(page, 'Poster').locator('img')
  await page.goto('/dashboard')
  const dialog = editing(page)
  await expect(thumbnail).toHaveAttribute('src', version)
  await test.step('the options are kept, and named before they are opened', async () => {
    await openCode(page, 'Poster')
    await expect(options(dialog)).toHaveAttribute('aria-expanded', 'false')
    await expect(compact(dialog)).toBeHidden()
    await options(dialog).click()
    await expect(level(dialog, 'Medium (15%)')).toBeChecked()
    await expect(compact(dialog)).not.toBeChecked()
    await level(dialog, 'High (30%)').click()
    await compact(dialog).check()
    await saveAndClose(dialog)
    await expect(thumbnail).not.toHaveAttribute('src', version)
    await closeToasts(page)

    await openCode(page, 'Poster')
    await expect(options(dialog)).toContainText('High (30%), Compact')
    await options(dialog).click()
    await expect(level(dialog, 'High (30%)')).toBeChecked()
    await expect(compact(dialog)).toBeChecked()
  })
  await test.step('files are asked for in the print size, and not in one that cannot be printed', () =>
    expectFiles(page, dialog))
  await test.step('the scan check stands under the picture and follows it', async () => {
    await expect(scanCheck(dialog)).toContainText(/Scans: (excellent|good)/)
    await dialog.getByRole('radio', { name: /^Dark/ }).click()
    await expect(scanCheck(dialog)).toContainText('May not scan')
    await dialog.getByLabel('Foreground color').fill('#111827')
    await expect(scanCheck(dialog)).toContainText('Hard to scan')
    await expect(scanCheck(dialog)).toContainText(/ .{20,}\.$/)
    await saveAndClose(dialog)
    await expect(row(page, 'Poster')).toContainText('Hard to scan')
  })
})

async function expectFiles(page: Page, dialog: Locator) {
  await expect(printSize(dialog)).toHaveValue('1.969 in')
  await printSize(dialog).fill('1')
  for (const name of ['PDF', 'SVG', 'PNG']) {
    const asked = page.waitForRequest(/format=.*&mm=25\.4$/)
    await downloaded(page, () => file(dialog, name).click())
    await asked
  }

  await printSize(dialog).fill('0.3')
  await expect(printSize(dialog)).toHaveAccessibleDescription(/^From 0.39 to 78.74 in/)
  for (const name of ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF']) {
    await expect(file(dialog, name)).toBeDisabled()
  }
  await printSize(dialog).press('Enter')
  await expect(dialog).toBeVisible()
  await printSize(dialog).fill('2')
}

test.use({ expected: /503/ })

test('the options show their effect, also without a check', async ({ page, member, server }) => {
  const account = await member({ tier: 'professional' })
  const { shortCode } = await account.code({ name: 'Poster' })
  expect(`${server.origin}/qr/${shortCode}`).toHaveLength(33)
  await refuse(page, '**/legibility?*', 503)
  const answered = page.waitForResponse(/legibility/)
  const dialog = await goToCode(page, 'Poster')
  await answered
  await expect(preview(dialog)).toBeVisible()
  await expect(scanCheck(dialog)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await options(dialog).click()
  await expect(level(dialog, 'High (30%)')).toHaveAccessibleName('High (30%) 33 modules wide')
  await expect(compact(dialog)).toHaveAccessibleDescription(/ 25 instead of 29 modules wide\./)
  await compact(dialog).check()
  await expect(level(dialog, 'Medium (15%)')).toHaveAccessibleName(/25 modules wide$/)
  await level(dialog, 'Quartile (25%)').click()
  await expect(preview(dialog)).toHaveAttribute('src', /ecc=Q&compact=true&artwork=none&t=\d+$/)
  await dialog.getByLabel('Custom URL (Optional)').fill('summer')
  await expect(preview(dialog)).toHaveAttribute('src', /^data:image\/svg/)
  const shownLink = async () => {
    const drawn = decodeURIComponent((await preview(dialog).getAttribute('src')) ?? '')
    const svg = Buffer.from(drawn.slice(drawn.indexOf('<svg')))
    return decodePicture(await sharp(svg).png().toBuffer())
  }
  await expect.poll(shownLink).toBe(`${server.origin}/qr/summer`.toUpperCase())
  await saveAndClose(dialog)
})
