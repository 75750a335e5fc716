import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { creating, editing, expectToast, row } from './screens.ts'

/** More steps than any way through a screen takes. */
const STEPS = 60

/** Presses Tab until the focus is where somebody wants it. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab') {
  for (let step = 0; step < STEPS; step++) {
    if (
      await page.locator(':focus').and(page.getByLabel(name)).or(focusedControl(page, name)).count()
    )
      return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never came to ${name}`)
}

function focusedControl(page: Page, name: string | RegExp) {
  const focused = page.locator(':focus')
  return focused.and(
    page
      .getByRole('button', { name })
      .or(page.getByRole('link', { name }))
      .or(page.getByRole('radio', { name }))
      .or(page.getByRole('switch', { name })),
  )
}

test('somebody without a mouse makes a code, opens it again and leaves it', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  await expect(page.getByText('No QR codes yet')).toBeVisible()

  await tabTo(page, 'Create New QR Code')
  await page.keyboard.press('Enter')
  const dialog = creating(page)
  await expect(dialog.getByLabel('QR Code Name')).toBeFocused()
  await page.keyboard.type('Poster')
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://example.com/poster')
  await tabTo(page, /^Classic Sharp/)
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'Rounded' })).toBeChecked()
  await tabTo(page, /^Classic$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'Forest' })).toBeChecked()
  await tabTo(page, 'Save QR Code')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()

  await tabTo(page, /^Poster$/)
  await page.keyboard.press('Enter')
  await expect(editing(page).getByLabel('QR Code Name')).toBeFocused()
  await expect(editing(page).getByRole('radio', { name: 'Rounded' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
  await expect(row(page, 'Poster').getByRole('button', { name: 'Poster' })).toBeFocused()
})

test('somebody without a mouse chooses how a code is printed', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await row(page, 'Poster').getByRole('button', { name: 'Edit' }).click()
  const dialog = editing(page)
  await tabTo(page, 'Printing options')
  await page.keyboard.press('Enter')
  await tabTo(page, /^Medium/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('radio', { name: 'High' })).toBeChecked()
  await tabTo(page, 'Compact code')
  await page.keyboard.press('Space')
  await expect(dialog.getByRole('switch', { name: 'Compact code' })).toBeChecked()
  for (const name of ['SVG', 'PNG', 'JPG', 'ZIP All', 'PDF', 'Print size (mm)']) {
    await tabTo(page, name)
  }
  await tabTo(page, 'Save QR Code')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
})

test('the focus stays in the dialog while it is open', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await row(page, 'Poster').getByRole('button', { name: 'Edit' }).click()
  const dialog = editing(page)
  await expect(dialog.getByLabel('QR Code Name')).toBeFocused()
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < 25; step++) {
      await page.keyboard.press(key)
      await expect(dialog.locator(':focus')).toHaveCount(1)
    }
  }
})

test('Ctrl+S and Enter save the form', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const keys = { 'ControlOrMeta+s': 'Flyer', Enter: 'Leaflet' }
  let name = 'Poster'
  for (const [key, next] of Object.entries(keys)) {
    await row(page, name).getByRole('button', { name: 'Edit' }).click()
    await editing(page).getByLabel('QR Code Name').fill(next)
    await page.keyboard.press(key)
    await expect(editing(page)).toBeHidden()
    await expect(row(page, next)).toBeVisible()
    name = next
  }
})

test('somebody without a mouse deletes a code, and Esc keeps it', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toBeVisible()
  const dialog = page.getByRole('dialog', { name: 'Delete this QR code?' })
  await tabTo(page, 'Delete')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Poster').getByRole('button', { name: 'Delete' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No QR codes yet')).toBeVisible()
})
