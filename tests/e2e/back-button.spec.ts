import type { ElementHandle, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { editing, openCode, row } from './screens.ts'

const FROM = '/dashboard?q=Poster'
const nameField = (page: Page) => editing(page).getByLabel('QR Code Name')

/** The dialog's own place in the history is left: what follows finds the page at its list. */
const expectAtList = (page: Page) =>
  expect.poll(() => page.evaluate(() => window.history.state)).toBeNull()

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

test('the back button at the question keeps the form', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  await nameField(page).fill('Flyer')
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  for (const _ of ['once', 'again']) {
    await page.goBack()
    await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
    await page.goBack()
    await expect(question).toBeHidden()
    await expect(nameField(page)).toBeFocused()
    await expect(nameField(page)).toHaveValue('Flyer')
  }
  await page.goBack()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(editing(page)).toBeHidden()
  await expectAtList(page)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('after a reload with the form open one press of the back button leaves the list', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  await page.reload()
  await expect(row(page, 'Poster')).toBeVisible()
  await expectAtList(page)
  await expect(page).toHaveURL(FROM)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('the forward button opens no form, and Back works as before', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  for (const _ of ['once', 'again']) {
    await page.goBack()
    await expect(editing(page)).toBeHidden()
    await page.goForward()
    await expectAtList(page)
    await expect(editing(page)).toBeHidden()
    await openCode(page, 'Poster')
  }
  await page.goBack()
  await expect(editing(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test('a form that opens while the one before still closes is closed by the first press', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await arrive(page)
  const opener = page.getByRole('button', { name: 'Poster', exact: true, includeHidden: true })
  const again = await opener.elementHandle()
  await editing(page)
    .getByRole('button', { name: 'Close' })
    .evaluate(
      (close: HTMLElement, opener) => {
        close.click()
        opener?.click()
      },
      again as ElementHandle<HTMLElement> | null,
    )
  await expect(nameField(page)).toHaveValue('Poster')
  await expect.poll(() => page.evaluate(() => window.history.state)).not.toBeNull()
  await expect(editing(page)).toBeVisible()
  await page.goBack()
  await expect(editing(page)).toBeHidden()
  await page.goBack()
  await expect(page).toHaveURL('/profile')
})

test.describe('a link in the form', () => {
  test.use({ expected: /status of 403/ })

  test('leads away and back again, one press for each page', async ({ page, member }) => {
    const account = await member()
    for (const name of ['One', 'Two', 'Three']) await account.code({ name })
    await page.goto('/profile')
    await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
    await page.goto('/dashboard')
    await expect(row(page, 'Three')).toBeVisible()
    await page.getByRole('button', { name: 'Create New QR Code' }).click()
    await page.getByRole('link', { name: 'See the plans' }).click()
    await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
    await page.goBack()
    await expect(row(page, 'Three')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goForward()
    await expect(page).toHaveURL('/subscription')
    await page.goBack()
    await expect(row(page, 'Three')).toBeVisible()
    await openCode(page, 'Three')
    await page.goBack()
    await expect(editing(page)).toBeHidden()
    await page.goBack()
    await expect(page).toHaveURL('/profile')
  })
})
