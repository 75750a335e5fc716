import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { creating, editing, openCode, row } from './screens.ts'

const FROM = '/dashboard?q=Poster'
const nameField = (page: Page) => editing(page).getByLabel('QR Code Name')

/** Opens the list after the profile, so that Back leads to the profile. */
async function arrive(page: Page, address = FROM) {
  if (!page.url().endsWith('/profile')) await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
  await page.goto(address)
  await expect(row(page, 'Poster')).toBeVisible()
}

test('Back closes an open code and Forward opens it again', async ({ page, member }) => {
  const { id } = await (await member()).code({ name: 'Poster' })
  const opener = row(page, 'Poster').getByRole('button', { name: 'Poster', exact: true })
  await arrive(page)
  await openCode(page, 'Poster')
  await expect(page).toHaveURL(`${FROM}&edit=${id}`)
  await page.goBack()
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(FROM)
  await expect(opener).toBeFocused()
  await page.goForward()
  await expect(nameField(page)).toHaveValue('Poster')
  for (const way of ['Escape', 'Enter']) {
    await expect(nameField(page)).toBeFocused()
    await page.keyboard.press(way)
    await expect(editing(page)).toBeHidden()
    await expect(page).toHaveURL(FROM)
    if (way === 'Escape') await openCode(page, 'Poster')
  }
  await page.goBack()
  await expect(page).toHaveURL('/profile')

  await test.step('Back asks before what was typed is lost, and at the question it keeps the form', () =>
    expectQuestion(page, id))
})

async function expectQuestion(page: Page, id: string) {
  const question = page.getByRole('dialog', { name: 'Discard your changes?' })
  await arrive(page)
  await openCode(page, 'Poster')
  await nameField(page).fill('Flyer')
  await page.goBack()
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await page.goBack()
  await expect(question).toBeHidden()
  await expect(nameField(page)).toBeFocused()
  await expect(nameField(page)).toHaveValue('Flyer')
  await expect(page).toHaveURL(`${FROM}&edit=${id}`)
  for (const answer of ['Keep editing', 'Discard']) {
    await page.goBack()
    await question.getByRole('button', { name: answer }).click()
    if (answer === 'Keep editing') await expect(nameField(page)).toHaveValue('Flyer')
  }
  await expect(editing(page)).toBeHidden()
  await expect(page).toHaveURL(FROM)
  await page.goBack()
  await expect(page).toHaveURL('/profile')
}

test('a reload and a link open the code, an unknown one the list', async ({ page, member }) => {
  const { id } = await (await member()).code({ name: 'Poster' })
  await arrive(page, `/dashboard?sort=name&edit=${id}`)
  await expect(nameField(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/dashboard?sort=name')
  await page.goBack()
  await expect(page).toHaveURL('/profile')

  await arrive(page, '/dashboard?sort=name&edit=unknown')
  await expect(page).toHaveURL('/dashboard?sort=name')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const drafts: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/draft')) drafts.push(request.url())
  })
  await page.goto('/dashboard?new')
  for (const _ of ['once', 'again']) {
    await expect(creating(page).getByRole('button', { name: 'Save QR Code' })).toBeEnabled()
    await page.keyboard.press('Escape')
    await expect(creating(page)).toBeHidden()
    await expect(page).toHaveURL('/dashboard')
    await page.keyboard.press('c')
    await expect(creating(page)).toBeVisible()
  }
  expect(drafts).toHaveLength(3)
})
