import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import {
  closeToasts,
  editing,
  expectSentToSignIn,
  expectToast,
  goToCode,
  goToNewCode,
  leaveReady,
  openCode,
  row,
  save,
  signIn,
} from './screens.ts'

test.use({ expected: /status of (401|403|412)/ })

const saying = 'You are logged out. Logging in again...'
const LIST = /\/api\/qr-codes$/
const field = (dialog: Locator, label: string) => dialog.getByLabel(label)
const compact = (dialog: Locator) => dialog.getByRole('switch', { name: 'Compact code' })
const openOptions = (dialog: Locator) =>
  dialog.getByRole('button', { name: 'Printing options' }).click()

const textsWith = (path: string) =>
  Object.entries({
    'QR Code Name': 'Flyer',
    'Destination URL': 'https://example.com/flyer',
    'Custom URL (Optional)': path,
    'Foreground color': '#123456',
  })

/** Fills in fields of each kind. */
async function fillAll(dialog: Locator, path: string) {
  for (const [label, text] of textsWith(path)) await field(dialog, label).fill(text)
  await openOptions(dialog)
  await compact(dialog).check()
}

async function expectAll(dialog: Locator, path: string) {
  for (const [label, text] of textsWith(path)) await expect(field(dialog, label)).toHaveValue(text)
  await openOptions(dialog)
  await expect(compact(dialog)).toBeChecked()
}

/** Ends the session, which `act` finds out. Returns a function that signs the user in again where they were. */
async function loseSession(
  page: Page,
  context: BrowserContext,
  from: string,
  act: () => Promise<unknown>,
) {
  const cookies = await context.cookies()
  await context.clearCookies()
  await expectSentToSignIn(page, { saying, from }, act)
  return async () => {
    await context.addCookies(cookies)
    await page.goto(from)
  }
}

test('a new code is kept until the user signs in again', async ({ page, context, member }) => {
  const account = await member({ tier: 'professional' })
  const path = `kept-${process.pid}-${Date.now()}`
  const dialog = await goToNewCode(page)
  await fillAll(dialog, path)
  await loseSession(page, context, '/dashboard?new', () => save(dialog).click())
  const drafts: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/draft')) drafts.push(request.url())
  })
  const held = await HeldAnswers.hold(page, LIST)
  await signIn(page, account.email)

  // It is there before the list, with one draft of its own.
  await expect(dialog).toContainText('We kept what you typed. Save it to keep it.')
  await expect(save(dialog)).toBeEnabled()
  await held.release(LIST)
  await expect(page.getByText('No QR codes yet')).toBeAttached()
  await expectAll(dialog, path)
  expect(drafts).toHaveLength(1)
  await save(dialog).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  await leaveReady(page)
  await closeToasts(page)
  await expectAll(await openCode(page, 'Flyer'), path)
})

test('an edited code is kept, and asks before it is lost', async ({ page, context, member }) => {
  const account = await member()
  const { id } = await account.code({ name: 'Poster' })
  const list = '/dashboard?q=Post&status=active&sort=-name'
  const from = `${list}&edit=${id}`
  const dialog = editing(page)
  await page.goto(list)
  await openCode(page, 'Poster')
  // Another device of theirs changes another field.
  const url = 'https://example.com/other'
  await context.request.patch(`/api/qr-codes/${id}`, { data: { url } })
  await field(dialog, 'QR Code Name').fill('Postcard')
  const comeBack = await loseSession(page, context, from, () => save(dialog).click())
  await comeBack()
  await expect(field(dialog, 'QR Code Name')).toHaveValue('Postcard')
  await expect(field(dialog, 'QR Code Name')).toBeFocused()
  await expect(field(dialog, 'Destination URL')).toHaveValue(url)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await save(dialog).click()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await expect(dialog).toBeHidden()
  // It opened by itself: no other control can get the focus back.
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
  await expect(page).toHaveURL(list)
  await page.reload()
  await expect(row(page, 'Postcard')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await account.code({ name: 'Poster' })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await goToCode(page, 'Poster')
  const name = field(dialog, 'QR Code Name')
  await page.reload()
  await expect(name).toHaveValue('Poster')
  expect(asked).toEqual([])
  await name.fill('Flyer')
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await expect(name).toHaveValue('Poster')
})

test('another user who signs in does not see it', async ({ page, context, member }) => {
  await member({ name: 'Grace Hopper' })
  const others = await context.cookies()
  await context.clearCookies()
  const { id } = await (await member()).code({ name: 'Poster' })
  const dialog = await goToCode(page, 'Poster')
  await field(dialog, 'QR Code Name').fill('Flyer')
  await loseSession(page, context, `/dashboard?edit=${id}`, () => save(dialog).click())
  await context.addCookies(others)
  await page.goto(`/dashboard?edit=${id}`)
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Flyer')
})
