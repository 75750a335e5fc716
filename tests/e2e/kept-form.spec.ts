import type { BrowserContext, Locator, Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import {
  creating,
  editing,
  expectSentToSignIn,
  expectToast,
  openCode,
  openNewCode,
  row,
} from './screens.ts'

test.use({ expected: /status of (401|403)/ })

const departure = { saying: 'You are logged out. Logging in again...', from: '/dashboard' }
const save = (dialog: Locator) => dialog.getByRole('button', { name: 'Save QR Code' })
const field = (dialog: Locator, label: string) => dialog.getByLabel(label)
const choice = (dialog: Locator, name: RegExp) => dialog.getByRole('radio', { name })
const compact = (dialog: Locator) => dialog.getByRole('switch', { name: 'Compact code' })
const openOptions = (dialog: Locator) =>
  dialog.getByRole('button', { name: 'Printing options' }).click()

/** Types something into every field. */
async function fillAll(dialog: Locator, path: string) {
  await field(dialog, 'QR Code Name').fill('Flyer')
  await field(dialog, 'Destination URL').fill('https://example.com/flyer')
  await field(dialog, 'Custom URL (Optional)').fill(path)
  await choice(dialog, /^Rounded/).click()
  await field(dialog, 'Foreground colour').fill('#123456')
  await field(dialog, 'Background colour').fill('#fedcba')
  await openOptions(dialog)
  await choice(dialog, /^High/).click()
  await compact(dialog).check()
}

async function expectAll(dialog: Locator, path: string) {
  await expect(field(dialog, 'QR Code Name')).toHaveValue('Flyer')
  await expect(field(dialog, 'Destination URL')).toHaveValue('https://example.com/flyer')
  await expect(field(dialog, 'Custom URL (Optional)')).toHaveValue(path)
  await expect(choice(dialog, /^Rounded/)).toBeChecked()
  await expect(field(dialog, 'Foreground colour')).toHaveValue('#123456')
  await expect(field(dialog, 'Background colour')).toHaveValue('#fedcba')
  await openOptions(dialog)
  await expect(choice(dialog, /^High/)).toBeChecked()
  await expect(compact(dialog)).toBeChecked()
}

async function signIn(page: Page, { email }: Pick<Account, 'email'>) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** The session ends, and whatever is done next finds out. */
async function expire(page: Page, context: BrowserContext, act: () => Promise<unknown>) {
  await context.clearCookies()
  await expectSentToSignIn(page, departure, act)
}

/** Somebody has typed a name when their session ends; `meanwhile` another device of theirs does more. */
async function loseSession(
  page: Page,
  context: BrowserContext,
  name: string,
  meanwhile?: () => Promise<unknown>,
) {
  const dialog = await openCode(page, 'Poster')
  await meanwhile?.()
  await field(dialog, 'QR Code Name').fill(name)
  await expire(page, context, () => save(dialog).click())
}

let paths = 0
const newPath = () => `kept-${process.pid}-${Date.now()}-${++paths}`

test('a new code is there with all that was typed after signing in again, and can be saved', async ({
  page,
  context,
  member,
}) => {
  const account = await member({ tier: 'professional' })
  const path = newPath()
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  await fillAll(dialog, path)
  await expire(page, context, () => save(dialog).click())
  await signIn(page, account)
  await expect(dialog).toContainText('What you typed is here and has not been saved yet.')
  await expectAll(dialog, path)
  await save(dialog).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  await expectAll(await openCode(page, 'Flyer'), path)
})

test('an edited code is there with all that was typed, and asks before it is left', async ({
  page,
  context,
  member,
}) => {
  const account = await member({ tier: 'professional' })
  await account.code({ name: 'Poster' })
  const path = newPath()
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await fillAll(dialog, path)
  await expire(page, context, () => save(dialog).click())
  await signIn(page, account)
  await expectAll(editing(page), path)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await save(dialog).click()
  await expect(row(page, 'Flyer')).toContainText('https://example.com/flyer')
  await expect(row(page, 'Poster')).toHaveCount(0)
})

test('only what was typed is filled in: the rest may have changed meanwhile', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  const { id } = await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  const data = { url: 'https://example.com/elsewhere' }
  await loseSession(page, context, 'Flyer', () =>
    context.request.patch(`/api/qr-codes/${id}`, { data }),
  )
  await signIn(page, account)
  await expect(field(editing(page), 'QR Code Name')).toHaveValue('Flyer')
  await expect(field(editing(page), 'Destination URL')).toHaveValue('https://example.com/elsewhere')
})

test('a code that has gone meanwhile becomes a new one of what was typed', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  const { id } = await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  await loseSession(page, context, 'Flyer', () => context.request.delete(`/api/qr-codes/${id}`))
  await signIn(page, account)
  const dialog = creating(page)
  await expect(dialog).toContainText('“Poster” has been deleted meanwhile.')
  await expect(field(dialog, 'QR Code Name')).toHaveValue('Flyer')
  await expect(field(dialog, 'Destination URL')).toHaveValue('https://example.com/menu')
  await save(dialog).click()
  await expect(row(page, 'Flyer')).toBeVisible()
})

test('a session that ended before the form opened leads back to the open form', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  await page.goto('/dashboard')
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expire(page, context, () =>
    page.getByRole('button', { name: 'Create New QR Code' }).click(),
  )
  await signIn(page, account)
  const dialog = creating(page)
  await expect(save(dialog)).toBeEnabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('somebody else who signs in sees nothing of it, and it is gone after that', async ({
  page,
  context,
  member,
}) => {
  const other = await member({ name: 'Grace Hopper' })
  await context.clearCookies()
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await loseSession(page, context, 'Flyer')
  await signIn(page, other)
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  // What reads it comes after the list is there.
  const kept = () => page.evaluate(() => JSON.stringify(sessionStorage))
  await expect.poll(kept).not.toContain('Flyer')
})

test('what was discarded or saved after signing in does not come again', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  for (const way of ['Discard', 'Save QR Code']) {
    await loseSession(page, context, 'Flyer')
    await signIn(page, account)
    await expect(field(editing(page), 'QR Code Name')).toHaveValue('Flyer')
    if (way === 'Discard') await page.keyboard.press('Escape')
    await page.getByRole('button', { name: way }).click()
    await expect(editing(page)).toBeHidden()
    await page.reload()
    await expect(row(page, way === 'Discard' ? 'Poster' : 'Flyer')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('the focus is at the list after a form that opened by itself', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  await loseSession(page, context, 'Flyer')
  await signIn(page, account)
  await expect(field(editing(page), 'QR Code Name')).toBeFocused()
  await save(editing(page)).click()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
})

test('the list is searched, sorted and filtered as before', async ({ page, context, member }) => {
  const account = await member()
  await account.code({ name: 'Poster' })
  const from = '/dashboard?q=Post&status=active&sort=-name'
  await page.goto(from)
  const dialog = await openCode(page, 'Poster')
  await context.clearCookies()
  await expectSentToSignIn(page, { ...departure, from }, () => save(dialog).click())
  await signIn(page, account)
  await expect(editing(page)).toBeVisible()
  await expect(page).toHaveURL(from)
})

test('the browser asks before a reload loses what was typed, and only then', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await page.goto('/dashboard')
  await openCode(page, 'Poster')
  await page.reload()
  const dialog = await openCode(page, 'Poster')
  await page.reload()
  expect(asked).toEqual([])
  await openCode(page, 'Poster')
  await field(dialog, 'QR Code Name').fill('Flyer')
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
  await expect(row(page, 'Poster')).toBeVisible()
})

test('a page that its person comes back to asks again before a reload', async ({
  page,
  context,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    return dialog.accept()
  })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await field(dialog, 'QR Code Name').fill('Flyer')
  const cookies = await context.cookies()
  await context.clearCookies()
  // An empty answer leaves the page where it is, as the browser's cache would bring it back.
  await page.route(/\/api\/login\?/, (route) => route.fulfill({ status: 204 }))
  const sent = page.waitForRequest(/\/api\/login\?/)
  await save(dialog).click()
  await (await sent).response()
  await context.addCookies(cookies)
  await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow')))
  await expect(field(dialog, 'QR Code Name')).toHaveValue('Flyer')
  expect(asked).toEqual([])
  await page.reload()
  expect(asked).toEqual(['beforeunload'])
})

test.describe('while the list is still on its way', () => {
  const LIST = /\/api\/qr-codes$/

  test('a new code is there already, with one draft of its own', async ({
    page,
    context,
    member,
  }) => {
    const account = await member()
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await field(dialog, 'QR Code Name').fill('Flyer')
    await field(dialog, 'Destination URL').fill('https://example.com/flyer')
    await expire(page, context, () => save(dialog).click())
    const drafts: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/draft')) drafts.push(request.url())
    })
    const held = await HeldAnswers.hold(page, LIST)
    await signIn(page, account)
    await expect(field(dialog, 'QR Code Name')).toHaveValue('Flyer')
    await expect(save(dialog)).toBeEnabled()
    await held.release(LIST)
    await expect(page.getByText('No QR codes yet')).toBeAttached()
    await expect(field(dialog, 'Destination URL')).toHaveValue('https://example.com/flyer')
    expect(drafts).toHaveLength(1)
    await save(dialog).click()
    await expect(row(page, 'Flyer')).toBeVisible()
  })

  test('an edited code waits for it, and for another form to close', async ({
    page,
    context,
    member,
  }) => {
    const account = await member()
    await account.code({ name: 'Poster' })
    await page.goto('/dashboard')
    await loseSession(page, context, 'Flyer')
    const held = await HeldAnswers.hold(page, LIST)
    await signIn(page, account)
    await openNewCode(page)
    await held.release(LIST)
    await expect(page.getByRole('table')).toBeAttached()
    await page.keyboard.press('Escape')
    await expect(field(editing(page), 'QR Code Name')).toHaveValue('Flyer')
    await save(editing(page)).click()
    await expect(row(page, 'Flyer')).toBeVisible()
  })
})
