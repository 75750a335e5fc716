import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { invoices } from './payments.ts'
import { expectToast, toasts } from './screens.ts'

const PORTAL = '/api/user/billing-portal'
const INVOICES = '/api/user/invoices'

const day = (date: Date | string) =>
  new Date(date).toLocaleDateString('en-US', { dateStyle: 'medium' })

const billing = (page: Page) => page.getByRole('region', { name: 'Billing' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The payment provider ends the plan, or lets it go on, and the account shows it. */
async function endings(page: Page, act: (action: string) => Promise<unknown>) {
  const sent: string[] = []
  await page.route(/\/api\/user\/subscription\/(cancel|resume)$/, async (route) => {
    const action = route.request().url().split('/').at(-1) as string
    sent.push(action)
    await act(action)
    const response = await page.request.get('/api/user/subscription')
    await route.fulfill({ json: await response.json() })
  })
  return sent
}

test('somebody who pays manages billing on the provider’s page', async ({
  page,
  member,
  destination,
}) => {
  const account = await member()
  await account.pay('professional', { billing: 'monthly' })
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(PORTAL, async (route) => {
    await held
    await route.fulfill({ json: { portalUrl: `${destination.origin}/portal` } })
  })
  await page.goto('/profile')
  await expect(billing(page)).toContainText('Professional, billed monthly.')
  await expect(billing(page)).toContainText('No invoices yet.')
  await button(page, 'Manage billing').click()
  await expect(button(page, 'Opening...')).toHaveAttribute('aria-disabled', 'true')
  answer()
  await expect(page).toHaveURL(`${destination.origin}/portal`)
})

test('somebody cancels after reading what becomes of their codes, and resumes', async ({
  page,
  member,
}) => {
  const account = await member()
  const end = await account.pay('professional')
  for (const name of ['Menu', 'Poster', 'Flyer', 'Card']) await account.code({ name })
  const vanityUrl = `kept-${process.pid}-${Date.now()}`
  await account.code({ name: 'Window', vanityUrl })
  const sent = await endings(page, (action) =>
    account.pay('professional', { ends: action === 'cancel' }),
  )
  await page.goto('/profile')
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('dialog', { name: 'Cancel your Professional plan?' })
  await expect(question.getByRole('listitem')).toHaveText([
    'All 5 of your QR codes keep working, and so does your custom URL.',
    'The Free plan includes 3 QR codes: you can edit, pause and delete yours, and make new ones when you have fewer than 3.',
    'New custom URLs are not part of Free.',
    'QR codes that you make on Free stop working after 14 days; those that you have now get no end.',
    `You keep Professional until ${day(end)}.`,
  ])
  await expect(question.getByRole('button', { name: 'Keep Professional' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(button(page, 'Cancel plan')).toBeFocused()
  expect(sent).toEqual([])

  await button(page, 'Cancel plan').click()
  await question.getByRole('button', { name: 'Cancel plan' }).click()
  await expectToast(page, 'Success', `Your plan ends on ${day(end)}.`)
  await expect(page.getByText('canceling', { exact: true })).toBeVisible()
  await expect(page.getByText(`Expires on ${day(end)}`)).toBeVisible()
  await expect(billing(page)).toContainText(
    `Professional is paid for until ${day(end)} and does not renew.`,
  )
  await expect(page.getByRole('main').getByText('PROFESSIONAL', { exact: true })).toBeVisible()
  await expect(button(page, 'Resume plan')).toBeFocused()

  await page.keyboard.press('Enter')
  await expectToast(page, 'Success', `Your plan goes on and renews on ${day(end)}.`)
  await expect(page.getByText(`Renews on ${day(end)}`, { exact: true })).toBeVisible()
  await expect(button(page, 'Cancel plan')).toBeFocused()
  expect(sent).toEqual(['cancel', 'resume'])
})

test('somebody finds their invoices, the newest first and the older on request', async ({
  page,
  member,
}) => {
  await (await member()).pay('professional')
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(INVOICES, async (route) => {
    await held
    await route.fulfill({ json: invoices(8) })
  })
  await page.goto('/profile')
  await expect(page.getByRole('status', { name: 'Loading your invoices' })).toBeVisible()
  answer()
  const rows = billing(page).getByRole('row')
  await expect(rows).toHaveCount(1 + 6)
  const date = day(invoices(1)[0]?.date ?? '')
  await expect(rows.nth(1).getByRole('cell').nth(0)).toHaveText(date)
  await expect(rows.nth(1)).toContainText('$83.88')
  await expect(rows.nth(1)).toContainText('Due')
  await expect(rows.nth(2)).toContainText('Paid')
  const link = rows.nth(1).getByRole('link', { name: 'TES-1000 opens in a new tab' })
  await expect(link).toHaveAttribute('href', 'https://example.com/invoices/0')
  await expect(link).toHaveAttribute('target', '_blank')

  await button(page, 'Show all 8 invoices').click()
  await expect(rows).toHaveCount(1 + 8)
})

test('somebody on the unlimited plan still has a way to another', async ({ page, member }) => {
  await (await member()).pay('unlimited')
  await page.goto('/profile')
  await billing(page).getByRole('link', { name: 'Change plan' }).click()
  await expect(page).toHaveURL('/subscription')
  await expect(button(page, 'Choose Starter')).toBeEnabled()
})

test('somebody whose plan has lapsed keeps their invoices, and has nothing to cancel', async ({
  page,
  member,
}) => {
  await (await member()).pay('professional', { status: 'canceled' })
  await page.route(INVOICES, (route) => route.fulfill({ json: invoices(2) }))
  await page.goto('/profile')
  await expect(billing(page)).toContainText('What you have paid for so far.')
  await expect(billing(page).getByRole('row')).toHaveCount(1 + 2)
  await expect(button(page, 'Cancel plan')).toHaveCount(0)
  await expect(billing(page).getByRole('link', { name: 'Change plan' })).toHaveCount(0)
})

test('nobody whose plan costs nothing is shown or asked any of it', async ({ page, member }) => {
  await member({ tier: 'professional' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/profile', { waitUntil: 'networkidle' })
  await expect(page.getByText(/^Renews on/)).toBeVisible()
  await expect(billing(page)).toHaveCount(0)
  expect(asked).toContain('/api/config')
  expect(asked).not.toContain(INVOICES)
})

test('where payments are off nothing is asked about them', async ({ page, member }) => {
  await (await member()).pay('professional', { status: 'past_due' })
  await page.route('/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({ json: { ...config, billing: 'off' } })
  })
  let asked = 0
  await page.route(INVOICES, async (route) => {
    asked++
    await route.fulfill({ json: [] })
  })
  await page.goto('/profile', { waitUntil: 'networkidle' })
  await expect(page.getByText('past_due', { exact: true })).toBeVisible()
  await expect(billing(page)).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(asked).toBe(0)
})

for (const [status, effect] of [
  ['past_due', 'You keep Professional while we try again.'],
  ['unpaid', 'Professional comes back as soon as it is paid.'],
] as const) {
  test(`somebody whose plan is ${status} reads what to do, and does it`, async ({
    page,
    member,
    destination,
  }) => {
    await (await member()).pay('professional', { status })
    await page.route(PORTAL, (route) =>
      route.fulfill({ json: { portalUrl: `${destination.origin}/portal` } }),
    )
    await page.goto('/profile')
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Your last payment did not go through')
    await expect(alert).toContainText(effect)
    await expect(alert).toContainText('Please update your card through Manage billing.')
    await expect(page.getByText(status, { exact: true })).toBeVisible()
    await alert.getByRole('button', { name: 'Update card' }).click()
    await expect(page).toHaveURL(`${destination.origin}/portal`)
  })
}

test.describe('while the provider does not answer', () => {
  test.use({ expected: /status of 50[03]|^50[03]:/ })

  const message = 'The payment service does not answer right now.'
  const refused = { status: 503, json: { message, code: 'payments_unavailable' } }

  test('the billing page is not opened, and the person is told', async ({ page, member }) => {
    await (await member()).pay('professional')
    await page.route(PORTAL, (route) => route.fulfill(refused))
    await page.goto('/profile')
    await button(page, 'Manage billing').click()
    await expectToast(page, 'Error', message)
    await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
    await expect(button(page, 'Manage billing')).toBeFocused()

    await page.route(PORTAL, (route) => route.fulfill({ status: 500, body: '' }))
    await page.keyboard.press('Enter')
    await expectToast(page, 'Error', 'Failed to open the billing page')
  })

  test('the plan is not canceled, and the person is told', async ({ page, member }) => {
    await (await member()).pay('professional')
    await page.route('/api/user/subscription/cancel', (route) => route.fulfill(refused))
    await page.goto('/profile')
    await button(page, 'Cancel plan').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel plan' }).click()
    await expectToast(page, 'Error', message)
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
    await expect(button(page, 'Cancel plan')).toBeFocused()
  })

  test('the plan is not resumed, and the person is told', async ({ page, member }) => {
    await (await member()).pay('professional', { ends: true })
    await page.route('/api/user/subscription/resume', (route) =>
      route.fulfill({ status: 500, body: '' }),
    )
    await page.goto('/profile')
    await button(page, 'Resume plan').click()
    await expectToast(page, 'Error', 'Failed to resume your plan')
    await expect(button(page, 'Resume plan')).toBeVisible()
  })

  test('the invoices are asked for again', async ({ page, member }) => {
    await (await member()).pay('professional')
    await page.route(INVOICES, (route) => route.fulfill(refused))
    await page.goto('/profile')
    await expect(billing(page).getByRole('alert')).toContainText(
      'Your invoices could not be loaded',
    )
    await page.unroute(INVOICES)
    await page.route(INVOICES, (route) => route.fulfill({ json: invoices(1) }))
    await button(page, 'Try again').click()
    await expect(billing(page).getByRole('row')).toHaveCount(1 + 1)
  })
})
