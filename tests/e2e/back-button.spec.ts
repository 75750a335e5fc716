import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { editing, openCode, row } from './screens.ts'

const FROM = '/dashboard?q=Poster'
const nameField = (page: Page) => editing(page).getByLabel('QR Code Name')

/** Somebody comes from their profile to their codes. */
async function arrive(page: Page) {
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
  await page.goto(FROM)
  await openCode(page, 'Poster')
}

test('the back button closes the form and stays at the list', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  await page.goBack()
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(FROM)
  await expect(row(page, 'Poster').getByRole('button', { name: 'Poster' })).toBeFocused()
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('the back button asks before what was typed is lost, as often as it is pressed', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  await nameField(page).fill('Flyer')
  for (const answer of ['Keep editing', 'Discard']) {
    await page.goBack()
    await page.getByRole('button', { name: answer }).click()
    if (answer === 'Keep editing') await expect(nameField(page)).toHaveValue('Flyer')
  }
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(FROM)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('a form that was closed otherwise leaves nothing in the history', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  for (const way of ['Escape', 'Enter']) {
    await page.keyboard.press(way)
    await expect(editing(page)).toBeHidden()
    if (way === 'Escape') await openCode(page, 'Poster')
  }
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})
