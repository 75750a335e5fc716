import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { creating, expectToast, openCode, row, toasts } from './screens.ts'

/** What React and the browser say about what no screen can show. */
test.use({
  expected:
    /status of 500|500:|TypeError|Cannot read|not valid as a React child|error #31|page error/,
})

/** Words that are none. */
const UNSPEAKABLE = { status: 500, json: { message: { text: 'Out of ink.' } } }

/** The name of whoever is signed in is one that no screen can show. */
async function giveOddName(page: Page) {
  await page.route('/api/auth/user', async (route) => {
    const user = await (await route.fetch()).json()
    await route.fulfill({ json: { ...user, firstName: {} } })
  })
}

test('a name that nobody foresaw takes the head of the page away, not the page', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await giveOddName(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('alert')).toContainText('The head of this page could not be shown')
  await openCode(page, 'Poster')
})

for (const [path, heading] of [
  ['/profile', 'Subscription Status'],
  ['/subscription', 'Need Help?'],
] as const) {
  test(`a name that nobody foresaw takes the head of ${path} away, not the page`, async ({
    page,
    member,
  }) => {
    await member()
    await giveOddName(page)
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText('The head of this page could not be shown')
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  })
}

test('codes that nobody foresaw take their note and the list away, and a new one can be made', async ({
  page,
  member,
}) => {
  await member()
  await page.route('/api/qr-codes', (route) => route.fulfill({ json: [null] }))
  await page.goto('/dashboard')
  const alerts = page.getByRole('alert')
  await expect(alerts.nth(0)).toContainText('What ends soon could not be shown')
  await expect(alerts.nth(1)).toContainText('Your list could not be shown')
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  await expect(creating(page).getByRole('button', { name: 'Save QR Code' })).toBeEnabled()
})

test('a form that cannot be shown can be closed', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await page.route('/api/qr-codes/draft', (route) => route.fulfill(UNSPEAKABLE))
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  await expect(creating(page).getByRole('alert')).toContainText('The form could not be shown')
  await creating(page).getByRole('button', { name: 'Close' }).click()
  await expect(creating(page)).toBeHidden()
  await openCode(page, 'Poster')
})

/** From now on no form can be drawn, for no fault of its answers. */
const breakForms = (page: Page) =>
  page.evaluate(() => {
    const RealDate = Date
    class BrokenDate extends RealDate {
      constructor(...given: number[]) {
        super(...(given as [number]))
        if (given.length === 0) throw new TypeError('Out of time.')
      }
    }
    Object.assign(window, {
      Date: BrokenDate,
      mendForms: () => Object.assign(window, { Date: RealDate }),
    })
  })
const mendForms = (page: Page) => page.evaluate('mendForms()')

const isCrashed = (dialog: Locator) =>
  expect(dialog.getByRole('alert')).toContainText('The form could not be shown')
const keptForm = (page: Page) => page.evaluate(() => sessionStorage.getItem('kept-form'))
const UNSAVED = 'What you typed is here and has not been saved yet.'

test('what was typed into a new code whose form then fails is there after a reload', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  const { promise: typed, resolve: letThrough } = Promise.withResolvers<void>()
  await page.route('/api/qr-codes/draft', async (route) => {
    await typed
    await route.fulfill(UNSPEAKABLE)
  })
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  await creating(page).getByLabel('QR Code Name').fill('Flyer')
  letThrough()
  await isCrashed(creating(page))
  await page.unroute('/api/qr-codes/draft')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(creating(page).getByLabel('QR Code Name')).toHaveValue('Flyer')
  await expect(creating(page)).toContainText(UNSAVED)
})

/** Somebody edits “Poster”, and the form fails on the name that they type. */
async function crashForm(page: Page): Promise<Locator> {
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await breakForms(page)
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  await isCrashed(dialog)
  return dialog
}

test('the very change that a form fails on is there after a reload', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  const dialog = await crashForm(page)
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Flyer')
  await expect(dialog).toContainText(UNSAVED)
})

test('a form that cannot be shown asks before what was typed is lost, and then it is', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  const dialog = await crashForm(page)
  expect(await keptForm(page)).toContain('Flyer')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
  expect(await keptForm(page)).toBeNull()
  await mendForms(page)
  await openCode(page, 'Poster')
})

test('a form that fails while it is saved closes once it is, and does not come again', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  const held = await HeldAnswers.hold(page, /\/api\/qr-codes\/[^/]+$/)
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await breakForms(page)
  await dialog.getByLabel('Destination URL').fill('https://example.com/flyer')
  await isCrashed(dialog)
  await mendForms(page)
  await held.release(/./)
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  expect(await keptForm(page)).toBeNull()
  await openCode(page, 'Flyer')
})

test('a bin that cannot be shown can be closed', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.route('/api/qr-codes/bin', (route) => route.fulfill({ json: [null] }))
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Bin', exact: true }).click()
  const bin = page.getByRole('dialog', { name: 'Bin' })
  await expect(bin.getByRole('alert')).toContainText('The bin could not be shown')
  await bin.getByRole('button', { name: 'Close' }).click()
  await expect(bin).toBeHidden()
  await openCode(page, 'Poster')
})

test('a toast that cannot be shown is missing, and the next one is there', async ({
  page,
  member,
}) => {
  const { id } = await (await member()).code({ name: 'Poster' })
  const pause = row(page, 'Poster').getByRole('button', { name: 'Pause' })
  await page.goto('/dashboard')
  await page.route(`/api/qr-codes/${id}`, (route) => route.fulfill(UNSPEAKABLE))
  const answered = page.waitForResponse(`/api/qr-codes/${id}`)
  await pause.click()
  await answered
  await expect(pause).toHaveAttribute('aria-disabled', 'false')
  await expect(toasts(page)).toHaveCount(0)
  await page.unrouteAll()
  await pause.click()
  await expectToast(page, 'Success', 'QR code paused')
})
