import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { choose, editing, moreOf } from './screens.ts'

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name })
const button = (page: Page, name: string) => editing(page).getByRole('button', { name })
const nameField = (page: Page) => editing(page).getByLabel('QR Code Name')
const opener = (page: Page) => moreOf(page, 'Poster')

/** Every way out of the form, and the control that has the focus if the user stays. */
const ways = [
  { leave: (page: Page) => page.keyboard.press('Escape'), back: nameField },
  { leave: (page: Page) => button(page, 'Close').click(), back: nameField },
  { leave: (page: Page) => page.mouse.click(5, 5), back: nameField },
  {
    leave: (page: Page) => button(page, 'Cancel').click(),
    back: (page: Page) => button(page, 'Cancel'),
  },
]

async function openForm(page: Page) {
  await choose(page, 'Poster', 'Edit')
  await expect(nameField(page)).toHaveValue('Poster')
  await expect(nameField(page)).toBeFocused()
}

test('every way out of a form asks before text is lost', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  for (const { leave, back } of ways) {
    await openForm(page)
    await nameField(page).fill('Flyer')
    await nameField(page).fill('Poster')
    await leave(page)
    await expect(editing(page)).toBeHidden()
    await expect(question(page)).toBeHidden()
    await expect(opener(page)).toBeFocused()

    await openForm(page)
    await nameField(page).fill('Flyer')
    await leave(page)
    await expect(question(page)).toContainText('Your changes haven’t been saved.')
    await expect(answer(page, 'Keep editing')).toBeFocused()
    await answer(page, 'Keep editing').click()
    await expect(question(page)).toBeHidden()
    await expect(back(page)).toBeFocused()
    await expect(nameField(page)).toHaveValue('Flyer')

    await leave(page)
    await answer(page, 'Discard').click()
    await expect(editing(page)).toBeHidden()
    await expect(opener(page)).toBeFocused()
  }
})
