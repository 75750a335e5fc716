import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import {
  expectToast,
  goToCode,
  goToNewCode,
  openCode,
  preview,
  row,
  save,
  saveAndClose,
} from './screens.ts'

const HINT =
  'Leave empty to use auto-generated code. Only letters, numbers, hyphens, and underscores.'
const NOTE = 'Available for Professional and Unlimited subscribers'
const UPGRADE = 'Upgrade to Professional or Unlimited to use custom URLs.'

const customUrl = (dialog: Locator) =>
  dialog.getByRole('textbox', { name: 'Custom URL (Optional)', exact: true })
const copy = (dialog: Locator) => dialog.getByRole('button', { name: 'Copy link', exact: true })
const saveFirst = (dialog: Locator) => dialog.getByText('Save first')

let names = 0
/** A path that is free. */
const newPath = () => `path-${process.pid}-${Date.now()}-${++names}`

test('a plan without custom URLs keeps old paths', async ({ page, member, server }) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = newPath()
  await account.code({ name: 'Poster', vanityUrl })
  const { host } = new URL(server.origin)
  await account.subscribe('starter')
  const draft = await goToNewCode(page)
  await expect(customUrl(draft)).toBeDisabled()
  await expect(draft.getByText(NOTE, { exact: true })).toBeVisible()
  await expect(draft.getByText(UPGRADE)).toBeVisible()
  await expect(draft.getByText(HINT)).toHaveCount(0)
  await expect(draft.getByText(`${host}/qr/`, { exact: true })).toBeVisible()

  await account.subscribe('professional', 'canceled')
  const dialog = await goToCode(page, 'Poster')
  await expect(customUrl(dialog)).toBeDisabled()
  await expect(customUrl(dialog)).toHaveValue(vanityUrl)
  await dialog.getByLabel('Destination URL').fill('https://example.com/new')
  await saveAndClose(dialog)
  await expect(row(page, 'Poster')).toContainText('example.com/new')
})

test.use({ expected: /status of 409/, permissions: ['clipboard-read', 'clipboard-write'] })

test('a custom path is folded, refused if taken, and works', async ({ page, member, server }) => {
  const before = newPath()
  const account = await member({ tier: 'professional' })
  const taken = newPath()
  await account.code({ name: 'Flyer', vanityUrl: taken })
  const code = await account.code({ name: 'Poster', vanityUrl: before })
  const path = newPath()
  const { host } = new URL(server.origin)
  const dialog = await goToCode(page, 'Poster')
  await expect(customUrl(dialog)).toBeEnabled()
  await expect(dialog.getByText(HINT)).toBeVisible()
  await expect(dialog.getByText(NOTE)).toHaveCount(0)
  await expect(dialog.getByText(`${host}/qr/${before}`)).toBeVisible()
  await expect(preview(dialog)).toHaveAttribute('src', /^\/api\/qr-codes\//)
  await expect(saveFirst(dialog)).toHaveCount(0)

  await customUrl(dialog).fill('')
  await expect(dialog.getByText(`${host}/qr/${code.shortCode}`)).toBeVisible()
  await customUrl(dialog).pressSequentially('Söme Path/ÜBER_uns-2!')
  await expect(customUrl(dialog)).toHaveValue('smepathber_uns-2')
  await customUrl(dialog).fill(path)
  await expect(dialog.getByText(`${host}/qr/${path}`)).toBeVisible()
  await expect(preview(dialog)).toHaveAttribute('src', /^data:image\/svg\+xml/)
  await expect(saveFirst(dialog)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'PNG', exact: true })).toBeDisabled()
  await customUrl(dialog).fill(before)
  await expect(saveFirst(dialog)).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'PNG', exact: true })).toBeEnabled()

  await customUrl(dialog).fill(taken)
  await save(dialog).click()
  const message = 'This custom URL is already taken. Please choose another one.'
  await expectToast(page, 'Error', message)
  await expect(customUrl(dialog)).toHaveAccessibleDescription(new RegExp(message))
  await expect(customUrl(dialog)).toBeFocused()
  await customUrl(dialog).fill(path)
  await expect(dialog.getByText(message)).toBeHidden()
  await expect(copy(dialog)).toBeDisabled()
  await save(dialog).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  expect(await scan(page, path)).toBe(302)

  const saved = await openCode(page, 'Poster')
  await expect(customUrl(saved)).toHaveValue(path)
  await copy(saved).click()
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied).toBe(`${server.origin}/qr/${path}`)
})
