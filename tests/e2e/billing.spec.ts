import type { Page } from '@playwright/test'
import { changeAnswer, refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { invoices } from './payments.ts'
import { dayText, expectToast, toasts } from './screens.ts'

const PORTAL = '/api/user/billing-portal'
const INVOICES = '/api/user/invoices'

const billing = (page: Page) => page.getByRole('region', { name: 'Billing' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const message = 'The payment service is not answering right now.'
const takeDown = (page: Page, url: string) =>
  refuse(page, url, 503, 'payments_unavailable', message)

test.use({ expected: /status of 50[03]|^50[03]:/ })

test('each status says what to do', { tag: '@soak' }, async ({ page, member, destination }) => {
  const account = await member()
  await account.pay('professional', { billing: 'monthly' })
  await takeDown(page, PORTAL)
  await takeDown(page, INVOICES)
  await page.goto('/profile')
  await expect(billing(page).getByRole('alert')).toContainText('Your invoices couldn’t be loaded')

  await page.route(INVOICES, (route) => route.fulfill({ json: invoices(8) }))
  await button(page, 'Try again').click()
  const rows = billing(page).getByRole('row')
  await expect(rows).toHaveCount(1 + 6)
  await expect(rows.nth(1)).toContainText('Due')
  const link = rows.nth(1).getByRole('link', { name: 'TES-1000 opens in a new tab' })
  await expect(link).toHaveAttribute('href', 'https://example.com/invoices/0')
  await expect(link).toHaveAttribute('target', '_blank')
  await button(page, 'Show all 8 invoices').click()
  await expect(rows).toHaveCount(1 + 8)

  await expect(billing(page)).toContainText('Professional, billed monthly.')
  await button(page, 'Manage billing').click()
  await expectToast(page, 'Error', message)
  await expect(toasts(page)).toHaveAttribute('data-variant', 'destructive')
  await expect(button(page, 'Manage billing')).toBeFocused()

  const url = `${destination.origin}/portal`
  const held = Promise.withResolvers<void>()
  await page.route(PORTAL, async (route) => {
    await held.promise
    await route.fulfill({ json: { portalUrl: url } })
  })
  await button(page, 'Manage billing').click()
  await expect(button(page, 'Opening...')).toHaveAttribute('aria-disabled', 'true')
  held.resolve()
  await expect(page).toHaveURL(url)

  for (const [status, effect] of [
    ['unpaid', 'You’ll have Professional again as soon as you pay.'],
    ['past_due', 'You keep Professional while we try again.'],
  ] as const) {
    await account.pay('professional', { status })
    await page.goto('/profile')
    const alert = page.getByRole('alert')
    await expect(alert).toContainText('Your last payment didn’t go through')
    await expect(alert).toContainText(effect)
    await alert.getByRole('button', { name: 'Update card' }).click()
    await expect(page).toHaveURL(url)
  }

  const lapsed = { currentPeriodEnd: new Date(0).toISOString() }
  await changeAnswer(page, '/api/user/subscription', lapsed)
  for (const [status, alerts] of [
    ['past_due', 1],
    ['active', 0],
  ] as const) {
    await account.pay('professional', { status, ends: true })
    await page.goto('/profile')
    await expect(billing(page)).toContainText('won’t renew.')
    await expect(page.getByRole('alert')).toHaveCount(alerts)
  }
  await page.unroute('/api/user/subscription')

  await account.pay('professional', { status: 'canceled' })
  await page.goto('/profile')
  await expect(billing(page)).toContainText('Your past invoices.')
  await expect(billing(page).getByRole('row')).toHaveCount(1 + 6)
  await expect(button(page, 'Cancel plan')).toHaveCount(0)
  await expect(billing(page).getByRole('link', { name: 'Change plan' })).toHaveCount(0)

  await test.step('a plan that the operator gave has neither billing nor invoices', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await account.subscribe('professional')
    await page.goto('/profile', { waitUntil: 'networkidle' })
    await expect(page.getByText(/^Renews on/)).toBeVisible()
    await expect(billing(page)).toHaveCount(0)
    expect(asked).not.toContain(INVOICES)
  })
})

test('a plan is canceled after a question, and resumed', async ({ page, member }) => {
  const account = await member()
  const end = await account.pay('professional')
  await account.code({ vanityUrl: `kept-${Date.now()}` })
  const sent: string[] = []
  await page.route(/\/api\/user\/subscription\/(cancel|resume)$/, async (route) => {
    const action = route.request().url().split('/').at(-1) as string
    sent.push(action)
    await account.pay('professional', { ends: action === 'cancel' })
    const response = await page.request.get('/api/user/subscription')
    await route.fulfill({ json: await response.json() })
  })
  await page.goto('/profile')
  await button(page, 'Cancel plan').click()
  const question = page.getByRole('dialog', { name: 'Cancel your Professional plan?' })
  const wanted = 'Your QR code keeps working, and so does its custom URL.'
  await expect(question.getByRole('listitem').first()).toHaveText(wanted)
  await expect(question.getByRole('listitem').last()).toHaveText(
    `You keep Professional until ${dayText(end)}.`,
  )
  await expect(question.getByRole('button', { name: 'Keep Professional' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(button(page, 'Cancel plan')).toBeFocused()
  expect(sent).toEqual([])

  const cancel = async () => {
    await button(page, 'Cancel plan').click()
    await question.getByRole('button', { name: 'Cancel plan' }).click()
  }
  const CANCEL = '/api/user/subscription/cancel'
  const RESUME = '/api/user/subscription/resume'
  await takeDown(page, CANCEL)
  await cancel()
  await expectToast(page, 'Error', message)
  await expect(page.getByText('Active', { exact: true })).toBeVisible()
  await expect(button(page, 'Cancel plan')).toBeFocused()

  await page.unroute(CANCEL)
  await cancel()
  await expectToast(page, 'Success', `Your plan ends on ${dayText(end)}.`)
  await expect(page.getByText('canceling', { exact: true })).toBeVisible()
  await expect(page.getByText(`Expires on ${dayText(end)}`)).toBeVisible()
  await expect(billing(page)).toContainText(
    `Professional is paid until ${dayText(end)} and won’t renew.`,
  )
  await expect(button(page, 'Resume plan')).toBeFocused()

  await refuse(page, RESUME, 500)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Error', 'Failed to resume your plan')
  await expect(button(page, 'Resume plan')).toBeFocused()

  await page.unroute(RESUME)
  await page.keyboard.press('Enter')
  await expectToast(page, 'Success', `Your plan continues and renews on ${dayText(end)}.`)
  await expect(page.getByText(`Renews on ${dayText(end)}`, { exact: true })).toBeVisible()
  await expect(button(page, 'Cancel plan')).toBeFocused()
  expect(sent).toEqual(['cancel', 'resume'])
})

test('a lower plan shows with its day, a higher one with its cost', async ({ page, member }) => {
  const account = await member()
  const end = await account.pay('professional', { billing: 'monthly' })
  const at = end.toISOString()
  await changeAnswer(page, '/api/config', { billing: 'stripe' })
  const next = { tier: 'starter', billing: 'monthly', at }
  await changeAnswer(page, '/api/user/subscription', { next })
  const planned = `Your plan changes to Starter (monthly) on ${dayText(end)}.`
  await page.goto('/profile')
  await expect(billing(page)).toContainText(planned)

  await page.goto('/subscription?billing=monthly')
  const json = { dueToday: 275, renewal: 1399, renewsAt: at }
  const held = Promise.withResolvers<void>()
  await page.route(/preview\?tier=unlimited&billing=monthly$/, async (route) => {
    await held.promise
    await route.fulfill({ json })
  })
  await button(page, 'Choose Unlimited').click()
  const question = page.getByRole('dialog', { name: 'Change to Unlimited?' })
  await expect(question.getByRole('status')).toHaveText('Calculating what you pay today…')
  const go = question.getByRole('button', { name: 'Continue' })
  await go.focus()
  await page.keyboard.press('Enter')
  await expect(go).toHaveAttribute('aria-disabled', 'true')
  held.resolve()
  await expect(question.getByRole('status')).toContainText('You pay $2.75 today.')
  await expect(go).not.toHaveAttribute('aria-disabled')
  await expect(go).toBeFocused()
  await expect(question.getByRole('listitem')).toHaveText([
    'You can have as many QR codes as you like instead of 10.',
    `You pay $2.75 today. Unlimited renews on ${dayText(end)} for $13.99 a month.`,
    'Your change to Starter is called off when you continue.',
    'You confirm this on the next page.',
  ])
  await page.keyboard.press('Escape')
  await expect(page.getByText(planned)).toBeVisible()
  await page.route('/api/user/subscription/keep', async (route) => {
    await page.unroute('/api/user/subscription')
    const response = await page.request.get('/api/user/subscription')
    await route.fulfill({ json: await response.json() })
  })
  await button(page, 'Keep my plan').click()
  await expectToast(page, 'Success', 'You keep Professional.')
  await expect(page.getByText(planned)).toHaveCount(0)
  await expect(page.getByRole('group', { name: 'Plans' })).toBeFocused()
})
