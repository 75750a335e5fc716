import type { Locator } from '@playwright/test'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { decodePicture } from '../support/decode.ts'
import { giveFile, savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import {
  editing,
  fillIn,
  goToNewCode,
  openCode,
  ready,
  save,
  saveAndClose,
  scanCheck,
} from './screens.ts'

const section = (dialog: Locator, name: string) =>
  dialog.getByRole('button', { name: new RegExp(`^${name}`) })
const group = (dialog: Locator, name: string) => dialog.getByRole('radiogroup', { name })
const undo = (dialog: Locator) =>
  dialog.getByRole('button', { name: 'Undo the last design change' })
const redo = (dialog: Locator) =>
  dialog.getByRole('button', { name: 'Redo the last design change' })

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><circle cx="100" cy="100" r="100" fill="#c2410c"/></svg>'

test('a code with dots, a logo and a frame can be scanned', async ({ page, member, server }) => {
  await member({ tier: 'starter' })
  const dialog = await goToNewCode(page)
  await fillIn(dialog, 'Menu', 'https://example.com/menu')

  await test.step('shapes are chosen by keyboard, and taken back', async () => {
    await section(dialog, 'More shapes').click()
    const modules = group(dialog, 'Modules')
    await expect(modules.getByRole('radio', { name: 'Square' })).toBeChecked()
    await modules.getByRole('radio', { name: 'Square' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect(modules.getByRole('radio', { name: 'Dots' })).toBeChecked()
    await page.keyboard.press('Control+z')
    await expect(modules.getByRole('radio', { name: 'Dots' })).not.toBeChecked()
    await redo(dialog).click()
    await expect(modules.getByRole('radio', { name: 'Dots' })).toBeChecked()
    await expect(section(dialog, 'More shapes')).toContainText('Dots')
  })

  await test.step('a logo raises the correction, says so, and its size ends where the code would', async () => {
    await section(dialog, 'Logo').click()
    const file = { name: 'Mark.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) }
    await giveFile(page, dialog.getByRole('button', { name: 'Upload a logo' }), file)
    await expect(dialog.getByText('Error correction is now High (30%)')).toBeVisible()
    const size = dialog.getByRole('slider', { name: 'Logo size' })
    await size.focus()
    await page.keyboard.press('End')
    await expect(dialog.getByText('A larger logo would leave too little.')).toBeVisible()
    await expect(scanCheck(dialog)).toContainText(/Scans: (excellent|good)/)
    await expect(group(dialog, 'Your logos').getByRole('radio', { name: 'Mark' })).toBeChecked()
  })

  await test.step('a frame says what people are to do, and names the letter that it cannot draw', async () => {
    await section(dialog, 'Frame').click()
    await group(dialog, 'Frame shape').getByRole('radio', { name: 'Below' }).click()
    const text = dialog.getByRole('textbox', { name: 'Text', exact: true })
    await text.fill('Speisekarte 😀')
    await expect(dialog.getByText('“😀” can’t be drawn here.')).toBeVisible()
    await text.fill('Speisekarte')
    await expect(text).toHaveAccessibleDescription('Your call to action.')
  })

  await test.step('the code is saved as it looks, and its picture is read', async () => {
    await save(dialog).click()
    const png = ready(page).getByRole('button', { name: 'PNG', exact: true })
    const file = await savedBy(page, () => png.click())
    const codes: QrCode[] = await (await page.request.get('/api/qr-codes')).json()
    const code = codes[0] as QrCode
    expect(code).toMatchObject({
      ecc: 'H',
      artwork: { modules: 'dots', frame: { text: 'Speisekarte', shape: 'below' } },
    })
    expect(code.artwork?.logo?.size).toBeGreaterThan(5)
    expect(await decodePicture(file)).toBe(`${server.origin}/qr/${code.shortCode}`)
  })
})

test.describe('a free account', () => {
  test.use({ expected: /status of 403/ })

  test('tries shapes, and reads what saving them needs', async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    const dialog = editing(page)
    await openCode(page, 'Poster')
    await section(dialog, 'More shapes').click()
    await expect(dialog.getByText('Included in every paid plan.')).toBeVisible()
    await group(dialog, 'Modules').getByRole('radio', { name: 'Diamond' }).click()
    await expect(dialog.getByRole('img', { name: 'QR code preview' })).toHaveAttribute(
      'src',
      /diamond/,
    )
    await save(dialog).click()
    const refusal = dialog.getByRole('group', { name: /come with every paid plan/ })
    await expect(refusal).toBeFocused()

    await test.step('the form is kept on the way to the plans and back', async () => {
      await refusal.getByRole('link', { name: 'See the plans' }).click()
      await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
      await page.goto('/dashboard')
      await expect(section(dialog, 'More shapes')).toContainText('Diamond')
    })

    await test.step('without them the code is saved', async () => {
      await save(dialog).click()
      await refusal.getByRole('button', { name: 'Remove them' }).click()
      await expect(refusal).toBeHidden()
      await expect(undo(dialog)).toBeEnabled()
      await dialog.getByLabel('QR Code Name').fill('Plain poster')
      await saveAndClose(dialog)
    })
  })
})
