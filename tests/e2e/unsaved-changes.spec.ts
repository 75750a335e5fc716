import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { editing, openCode, row } from './screens.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name })
const button = (page: Page, name: string) => editing(page).getByRole('button', { name })
const nameField = (page: Page) => editing(page).getByLabel('QR Code Name')

/** Every way out of the form, and where the focus is after somebody has stayed. */
const ways = [
  { way: 'Esc', leave: (page: Page) => page.keyboard.press('Escape'), back: nameField },
  { way: 'Close', leave: (page: Page) => button(page, 'Close').click(), back: nameField },
  { way: 'a click outside', leave: (page: Page) => page.mouse.click(5, 5), back: nameField },
  {
    way: 'Cancel',
    leave: (page: Page) => button(page, 'Cancel').click(),
    back: (page: Page) => button(page, 'Cancel'),
  },
]

for (const { way, leave, back } of ways) {
  test(`${way} asks before what was typed is lost`, async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    const opener = row(page, 'Poster').getByRole('button', { name: 'Edit' })
    await opener.click()
    await nameField(page).fill('Flyer')
    await leave(page)
    await expect(question(page)).toContainText('What you typed has not been saved.')
    await expect(answer(page, 'Keep editing')).toBeFocused()
    await answer(page, 'Keep editing').click()
    await expect(question(page)).toBeHidden()
    await expect(back(page)).toBeFocused()
    await expect(nameField(page)).toHaveValue('Flyer')

    await leave(page)
    await answer(page, 'Discard').click()
    await expect(editing(page)).toBeHidden()
    await expect(opener).toBeFocused()
    await openCode(page, 'Poster')
  })

  test(`${way} closes an untouched form at once`, async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    await page.goto('/dashboard')
    await openCode(page, 'Poster')
    await nameField(page).fill('Flyer')
    await nameField(page).fill('Poster')
    await leave(page)
    await expect(editing(page)).toBeHidden()
    await expect(question(page)).toBeHidden()
  })
}

test('Esc at the question keeps the form, and a save asks nothing', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await openCode(page, 'Poster')
  await nameField(page).fill('Flyer')
  await page.keyboard.press('Escape')
  await expect(answer(page, 'Keep editing')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question(page)).toBeHidden()
  await expect(nameField(page)).toBeFocused()
  await button(page, 'Save QR Code').click()
  await expect(editing(page)).toBeHidden()
  await expect(question(page)).toBeHidden()
  await openCode(page, 'Flyer')
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
})
