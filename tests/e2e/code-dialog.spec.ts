import type { Locator, Request } from '@playwright/test'
import { changeAnswer, refuse } from './changed-answers.ts'
import { downloaded } from './files.ts'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import {
  expectToast,
  figure,
  fillIn,
  goToCode,
  goToNewCode,
  leaveReady,
  openCode,
  preview,
  saveAndClose,
  toasts,
} from './screens.ts'

const save = (dialog: Locator) => dialog.getByRole('button', { name: /^(Save QR Code|Saving)/ })
const field = (dialog: Locator, label: string) => dialog.getByLabel(label)
const choice = (dialog: Locator, group: string, name: string) =>
  dialog.getByRole('radiogroup', { name: group }).getByRole('radio', { name })

const isPreview = (request: Request) =>
  request.url().includes('/generate?') && request.url().includes('&t=') && !sizeOf(request)
const sizeOf = (request: Request) => new URL(request.url()).searchParams.get('size')

test('a new code begins empty, waits for its draft, and is saved', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  const DRAFT = /qr-codes\/draft$/
  const draft = await HeldAnswers.hold(page, DRAFT)
  await page.getByRole('button', { name: 'Create New QR Code', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New QR Code', exact: true })
  await expect(dialog.getByText('Generating QR code...')).toBeVisible()
  await expect(save(dialog)).toHaveText('Save QR Code')
  await expect(save(dialog)).toBeDisabled()
  await draft.release(DRAFT)
  await expect(save(dialog)).toBeEnabled()
  await expect(dialog.getByText('Generating QR code...')).toBeHidden()
  await expect(preview(dialog)).toBeVisible()

  const name = field(dialog, 'QR Code Name')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('')
  await expect(field(dialog, 'Destination URL')).toHaveValue('')
  await expect(choice(dialog, 'Style', 'Classic')).toBeChecked()
  await expect(choice(dialog, 'Color presets', 'Classic')).toBeChecked()
  await expect(dialog.getByText('Performance Stats')).toHaveCount(0)

  await fillIn(dialog, 'Poster', 'https://example.com/poster')
  await choice(dialog, 'Style', 'Rounded').click()
  await choice(dialog, 'Color presets', 'Forest').click()
  const SAVE = /qr-codes\/[\w-]+$/
  const patch = await HeldAnswers.hold(page, SAVE)
  await save(dialog).click()
  await expect(save(dialog)).toHaveText('Saving...')
  await expect(save(dialog)).toBeDisabled()
  await patch.release(SAVE)
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  await leaveReady(page)

  // A second opening has forgotten the code before it, and keeps what is typed before its draft comes.
  const next = await HeldAnswers.hold(page, DRAFT)
  await page.getByRole('button', { name: 'Create New QR Code', exact: true }).click()
  await expect(name).toHaveValue('')
  await fillIn(dialog, 'Early bird', 'https://example.com/menu')
  await choice(dialog, 'Color presets', 'Rose').click()
  await next.release(DRAFT)
  await saveAndClose(dialog)
  await leaveReady(page)
  await expect(choice(await openCode(page, 'Early bird'), 'Color presets', 'Rose')).toBeChecked()
})

test('the form shows each mistake at its field and goes to the first', async ({ page, member }) => {
  await member({ tier: 'professional' })
  const dialog = await goToNewCode(page)
  const name = field(dialog, 'QR Code Name')
  const url = field(dialog, 'Destination URL')
  const path = field(dialog, 'Custom URL (Optional)')
  const foreground = field(dialog, 'Foreground color')
  await save(dialog).click()
  await expect(name).toHaveAccessibleDescription('Name is required')
  await expect(url).toHaveAccessibleDescription('Must be a valid URL')
  await expect(name).toBeFocused()
  await expect(url).toHaveAttribute('aria-invalid', 'true')

  await name.fill('Poster')
  await url.fill(' cafe.example/wifi2 ')
  await url.blur()
  await expect(url).toHaveValue('https://cafe.example/wifi2')
  await path.fill('ab')
  await save(dialog).click()
  await expect(dialog.getByText('Vanity URL must be at least 3 characters')).toBeVisible()
  await expect(path).toBeFocused()
  await path.fill('')
  await foreground.fill('#12')
  await foreground.blur()
  await expect(foreground).toHaveAccessibleDescription('Must be a hex colour such as #1e40af')
  await expect(toasts(page)).toHaveCount(0)
  await foreground.fill('#123')
  await saveAndClose(dialog)
  await leaveReady(page)
})

test('presets and colours set each other', { tag: '@soak' }, async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  const dialog = await goToCode(page, 'Poster')
  await expect(preview(dialog)).toBeVisible()
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    if (isPreview(request)) asked.push(new URL(request.url()).searchParams)
  })
  await choice(dialog, 'Style', 'Rounded').click()
  await expect(preview(dialog)).toHaveAttribute('src', /style=rounded/)
  await field(dialog, 'Foreground color').fill('#1e40')
  await field(dialog, 'Foreground color').pressSequentially('af')
  await expect(preview(dialog)).toHaveAttribute('src', /fg=%231e40af/)
  expect(asked.map((query) => [query.get('style'), query.get('fg'), query.get('bg')])).toEqual([
    ['rounded', '#000000', '#FFFFFF'],
    ['rounded', '#1e40af', '#FFFFFF'],
  ])

  const presets = dialog.getByRole('radiogroup', { name: 'Color presets' })
  await presets.getByRole('radio', { name: 'Rose' }).click()
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(1)
  await expect(field(dialog, 'Pick background')).toHaveValue('#fff1f2')
  await field(dialog, 'Pick foreground').fill('#0b7285')
  await expect(field(dialog, 'Foreground color')).toHaveValue('#0b7285')
  await field(dialog, 'Background color').fill('#FD0')
  await expect(field(dialog, 'Pick background')).toHaveValue('#ffdd00')
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(0)
  await saveAndClose(dialog)
  await expect(field(await openCode(page, 'Poster'), 'Foreground color')).toHaveValue('#0b7285')
})

test.describe('Performance Stats', () => {
  test.use({ expected: /status of 500|^500:/ })

  test('wait, and show figures or N/A', { tag: '@soak' }, async ({ page, member }) => {
    const account = await member()
    const { id: unread } = await account.code({ name: 'Unread' })
    const { id: popular } = await account.code({ name: 'Popular' })
    const { id: unscanned } = await account.code({ name: 'Unscanned' })
    const analytics = (id: string) => `/api/analytics/qr-code/${id}?*`
    await refuse(page, analytics(unread), 500)
    const topDevices = [{ device: 'Tablet', scans: 1204 }]
    await changeAnswer(page, analytics(popular), { totalScans: 1204, topDevices })
    const held = await HeldAnswers.hold(page, new RegExp(`qr-code/${unscanned}`))
    const terms = ['Total', 'Monthly', 'Country', 'Device']
    await page.goto('/dashboard')

    const dialog = await openCode(page, 'Unscanned')
    const stats = dialog.getByRole('region', { name: 'Performance Stats' })
    const nothing = dialog.getByText('No analytics data available yet')
    const expectFigures = async (texts: string[]) => {
      for (const [index, term] of terms.entries()) {
        await expect(figure(stats, term)).toHaveText(texts[index] as string)
      }
    }
    await expect(stats.getByRole('term')).toHaveText(terms)
    await expect(stats.locator('.mantine-Skeleton-root')).toHaveCount(4)
    await expect(nothing).toHaveCount(0)
    await held.release(/./)
    await expect(stats.locator('.mantine-Skeleton-root')).toHaveCount(0)
    await expect(nothing).toBeVisible()
    await expectFigures(['0', '0', 'N/A', 'N/A'])
    await page.keyboard.press('Escape')

    await openCode(page, 'Popular')
    await expectFigures(['1,204', '0', 'N/A', 'Tablet'])
    await expect(nothing).toHaveCount(0)
    await page.keyboard.press('Escape')

    await openCode(page, 'Unread')
    await expectFigures(['N/A', 'N/A', 'N/A', 'N/A'])
    await expect(nothing).toBeVisible()
  })
})

test('a download has the form’s look, and asks if few can read it', async ({ page, member }) => {
  const account = await member()
  await account.code({ name: 'Poster' })
  await account.code({ name: 'Ghost', foregroundColor: '#FFFFFF' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/legibility?')) asked.push(request.url())
  })
  const dialog = await goToCode(page, 'Ghost')
  await expect(dialog.getByRole('status').getByText('Hard to scan')).toBeVisible()
  expect(asked).toHaveLength(1)
  const question = page.getByRole('dialog', { name: 'Most scanners can’t read this code' })
  const png = dialog.getByRole('button', { name: 'PNG', exact: true })
  await png.click()
  await expect(question).toContainText(/.{20,}\./)
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(png).toBeFocused()

  await png.click()
  const anyway = question.getByRole('button', { name: 'Download anyway' })
  const file = await downloaded(page, () => anyway.click())
  expect(file.suggestedFilename()).toBe('Ghost.png')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')

  await openCode(page, 'Poster')
  await field(dialog, 'QR Code Name').fill('Flyer')
  await choice(dialog, 'Color presets', 'Gold').click()
  for (const [button, file] of [
    ['SVG', 'Flyer.svg'],
    ['JPG', 'Flyer.jpg'],
    ['ZIP All', 'Flyer_all_formats.zip'],
    ['PDF', 'Flyer.pdf'],
  ] as const) {
    const asked = page.waitForRequest(/fg=%23d97706&bg=%23fffbeb&ecc=M&compact=false/)
    const press = () => dialog.getByRole('button', { name: button, exact: true }).click()
    expect((await downloaded(page, press)).suggestedFilename()).toBe(file)
    await asked
  }
})
