import type { Page } from '@playwright/test'
import { expect, signUp, test } from './fixtures.ts'
import { arrival } from './scan.ts'
import { creating, editing, expectToast, openCode, row } from './screens.ts'
import { fillCard, PAYS } from './test-card.ts'

test.use({ reducedMotion: 'no-preference' })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const link = (page: Page, name: string) => page.getByRole('link', { name })

type New = { name: string; url: string; path?: string }

async function makeCode(page: Page, { name, url, path }: New): Promise<void> {
  await page.goto('/dashboard')
  await button(page, 'Create New QR Code').click()
  const form = creating(page)
  await form.getByLabel('QR Code Name').fill(name)
  await form.getByLabel('Destination URL').fill(url)
  if (path) await form.getByLabel('Custom URL (Optional)').fill(path)
  await button(page, 'Save QR Code').click()
  await expect(form).toBeHidden()
  await expect(row(page, name)).toBeVisible()
}

async function shortCodeOf(page: Page, name: string): Promise<string> {
  const answer = await page.request.get('/api/qr-codes')
  const codes: { name: string; shortCode: string }[] = await answer.json()
  return codes.find((code) => code.name === name)?.shortCode as string
}

test('a visitor subscribes, changes and leaves, and every code they printed leads on', async ({
  page,
  destination,
}) => {
  test.slow()
  const at = (path: string) => `${destination.origin}/${path}`
  await page.goto('/')
  const pricing = page.getByRole('region', { name: /Pricing|pricing/ })
  await pricing.getByRole('link').nth(2).click()
  await signUp(page, `subscriber-${process.pid}@example.com`)
  await makeCode(page, { name: 'Menu', url: at('menu') })
  await expect(row(page, 'Menu')).toContainText('Stops working on')

  // Professional, by the year.
  await link(page, 'Profile').click()
  await button(page, 'View Plans').click()
  await button(page, 'Choose Professional').click()
  await expect(page).toHaveURL('/subscription?tier=professional&billing=annual')
  await button(page, 'Choose Professional').click()
  await fillCard(page, PAYS)
  await button(page, 'Pay $83.88').click()
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page.getByRole('banner')).toContainText('PROFESSIONAL')
  await expect(row(page, 'Menu')).not.toContainText('Stops working on')
  const path = `summer-${process.pid}`
  await makeCode(page, { name: 'Poster', url: at('poster'), path })
  await openCode(page, 'Poster')
  await editing(page).getByLabel('Custom URL (Optional)').fill(`${path}-2`)
  await button(page, 'Save QR Code').click()
  await expect(editing(page)).toBeHidden()

  // Unlimited, and more codes than any other plan has.
  await link(page, 'Profile').click()
  await button(page, 'View Plans').click()
  await button(page, 'Choose Unlimited').click()
  await button(page, 'Choose Unlimited').click()
  await button(page, /^Confirm and pay/).click()
  await expect(page.getByRole('main')).toContainText('UNLIMITED')
  for (const name of ['Flyer', 'Card']) await makeCode(page, { name, url: at(name) })
  const names = ['Menu', 'Poster', 'Flyer', 'Card']
  const codes = await Promise.all(names.map((name) => shortCodeOf(page, name)))
  const printed = [...codes, path, `${path}-2`]
  const leads = () => Promise.all(printed.map((name) => arrival(page, `/qr/${name}`)))
  const wanted = ['menu', 'poster', 'Flyer', 'Card', 'poster', 'poster']
  expect(await leads()).toEqual(wanted.map((to) => ({ status: 302, to: at(to) })))

  // The end of it, by the test clock.
  await link(page, 'Profile').click()
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(
    'All 4 of your QR codes keep working, and so does your custom URL.',
  )
  await question.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()
  await button(page, 'Manage billing').click()
  await button(page, 'To the end of the period').click()
  await expect(page.getByText('This plan has ended.')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('canceled', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('FREE')
  expect(await leads()).toEqual(wanted.map((to) => ({ status: 302, to: at(to) })))

  // What was printed can still be corrected; only new codes need a plan.
  await page.goto('/dashboard')
  await openCode(page, 'Poster')
  await editing(page).getByLabel('Destination URL').fill(at('autumn'))
  await button(page, 'Save QR Code').click()
  await expect(editing(page)).toBeHidden()
  const corrected = wanted.map((to) => (to === 'poster' ? 'autumn' : to))
  expect(await leads()).toEqual(corrected.map((to) => ({ status: 302, to: at(to) })))
  for (const name of names) await expect(row(page, name)).not.toContainText('Stops working on')
})
