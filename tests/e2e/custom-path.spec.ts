import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, openCode, openNewCode, row } from './screens.ts'

const HINT =
  'Leave empty to use auto-generated code. Only letters, numbers, hyphens, and underscores.'
const NOTE = 'Available for Professional and Unlimited subscribers'
const UPGRADE = 'Upgrade to Professional or Unlimited to use custom URLs.'

const customUrl = (dialog: Locator) =>
  dialog.getByRole('textbox', { name: 'Custom URL (Optional)', exact: true })
const preview = (dialog: Locator) => dialog.getByRole('img', { name: 'QR code preview' })
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save QR Code' })
const saveFirst = (dialog: Locator) => dialog.getByText('Save first')

let names = 0
/** A path that nobody has taken before. */
const newPath = () => `path-${process.pid}-${Date.now()}-${++names}`

/** Where a link leads: its status, and its destination where it has one. */
async function follow(page: Page, path: string) {
  const response = await page.request.get(`/qr/${path}`, { maxRedirects: 0 })
  return { status: response.status(), to: response.headers().location }
}

for (const tier of ['free', 'starter'] as const) {
  test(`somebody on the ${tier} plan reads what custom URLs take`, async ({
    page,
    member,
    server,
  }) => {
    await member({ tier })
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await expect(customUrl(dialog)).toBeDisabled()
    await expect(dialog.getByText(NOTE, { exact: true })).toBeVisible()
    await expect(dialog.getByText(UPGRADE)).toBeVisible()
    await expect(dialog.getByText(HINT)).toHaveCount(0)
    const { host } = new URL(server.origin)
    await expect(dialog.getByText(`${host}/qr/`, { exact: true })).toBeVisible()
  })
}

test.describe('on the professional plan', () => {
  test('what somebody types is folded to what a path can hold', async ({ page, member }) => {
    await member({ tier: 'professional' })
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await expect(customUrl(dialog)).toBeEnabled()
    await expect(dialog.getByText(HINT)).toBeVisible()
    await expect(dialog.getByText(NOTE)).toHaveCount(0)
    await customUrl(dialog).pressSequentially('Söme Path/ÜBER_uns-2!')
    await expect(customUrl(dialog)).toHaveValue('smepathber_uns-2')
  })

  test('a path that is too short or too long is refused at the field', async ({ page, member }) => {
    await member({ tier: 'professional' })
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await dialog.getByLabel('QR Code Name').fill('Poster')
    await dialog.getByLabel('Destination URL').fill('https://example.com/')
    await customUrl(dialog).fill('ab')
    await save(dialog).click()
    await expect(dialog.getByText('Vanity URL must be at least 3 characters')).toBeVisible()
    await expect(customUrl(dialog)).toBeFocused()
    await customUrl(dialog).fill('a'.repeat(51))
    await save(dialog).click()
    await expect(dialog.getByText('Vanity URL must be at most 50 characters')).toBeVisible()
    await customUrl(dialog).fill('')
    await save(dialog).click()
    await expect(dialog).toBeHidden()
  })

  test('a code is saved with a custom path, which then leads to its destination', async ({
    page,
    member,
    server,
  }) => {
    const code = await (await member({ tier: 'professional' })).code({ name: 'Poster' })
    const path = newPath()
    const { host } = new URL(server.origin)
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await expect(dialog.getByText(`${host}/qr/${code.shortCode}`)).toBeVisible()
    await expect(preview(dialog)).toHaveAttribute('src', /^\/api\/qr-codes\//)
    await expect(saveFirst(dialog)).toHaveCount(0)

    await customUrl(dialog).fill(path)
    await expect(dialog.getByText(`${host}/qr/${path}`)).toBeVisible()
    await expect(preview(dialog)).toHaveAttribute('src', /^data:image\/svg\+xml/)
    await expect(saveFirst(dialog)).toBeVisible()
    for (const name of ['SVG', 'PNG', 'JPG', 'ZIP All']) {
      await expect(dialog.getByRole('button', { name, exact: true })).toBeDisabled()
    }
    await customUrl(dialog).fill('')
    await expect(saveFirst(dialog)).toHaveCount(0)
    await expect(dialog.getByRole('button', { name: 'PNG' })).toBeEnabled()

    await customUrl(dialog).fill(path)
    await save(dialog).click()
    await expectToast(page, 'Success', 'QR code saved successfully!')
    await expect(dialog).toBeHidden()
    expect(await follow(page, path)).toEqual({ status: 302, to: 'https://example.com/menu' })
    expect((await follow(page, code.shortCode)).status).toBe(302)

    const saved = await openCode(page, 'Poster')
    await expect(customUrl(saved)).toHaveValue(path)
    await expect(saved.getByText(`${host}/qr/${path}`)).toBeVisible()
    await expect(preview(saved)).toHaveAttribute('src', /^\/api\/qr-codes\//)
  })

  test('a code that gets another path still answers to the one before', async ({
    page,
    member,
  }) => {
    const [before, after] = [newPath(), newPath()]
    const account = await member({ tier: 'professional' })
    await account.code({ name: 'Poster', vanityUrl: before })
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await customUrl(dialog).fill(after)
    await save(dialog).click()
    await expect(dialog).toBeHidden()
    expect((await follow(page, after)).status).toBe(302)
    expect((await follow(page, before)).status).toBe(302)
  })

  test.describe('refused', () => {
    test.use({ expected: /status of 409/ })

    test('a path that is taken is refused at the field, and another one taken', async ({
      page,
      member,
    }) => {
      const account = await member({ tier: 'professional' })
      const taken = newPath()
      await account.code({ name: 'Flyer', vanityUrl: taken })
      await account.code({ name: 'Poster' })
      await page.goto('/dashboard')
      const dialog = await openCode(page, 'Poster')
      await customUrl(dialog).fill(taken)
      await save(dialog).click()
      const message = 'This custom URL is already taken. Please choose another one.'
      await expectToast(page, 'Error', message)
      await expect(customUrl(dialog)).toHaveAccessibleDescription(new RegExp(message))
      await expect(customUrl(dialog)).toBeFocused()
      await customUrl(dialog).fill(newPath())
      await expect(dialog.getByText(message)).toBeHidden()
      await save(dialog).click()
      await expect(dialog).toBeHidden()
    })
  })
})

test('somebody whose plan has lapsed keeps the path and corrects the destination', async ({
  page,
  member,
}) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = newPath()
  await account.code({ name: 'Poster', vanityUrl })
  await account.subscribe('professional', 'canceled')
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await expect(customUrl(dialog)).toBeDisabled()
  await expect(customUrl(dialog)).toHaveValue(vanityUrl)
  await dialog.getByLabel('Destination URL').fill('https://example.com/new')
  await save(dialog).click()
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Poster')).toContainText('https://example.com/new')
  expect(await follow(page, vanityUrl)).toEqual({ status: 302, to: 'https://example.com/new' })
})
