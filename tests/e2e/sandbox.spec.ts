import type { Page } from '@playwright/test'
import type { Subscription } from '../../src/contract/billing.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { startProcess } from '../support/process.ts'
import { expect, signUp, test } from './fixtures.ts'
import {
  buyPlan,
  chooseLowerPlan,
  choosePlan,
  DECLINED,
  FAILS_LATER,
  fillCard,
  openPortal,
  PAYS,
  readAlong,
} from './test-card.ts'

const region = (page: Page, name: string) => page.getByRole('region', { name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

async function subscriptionOf(page: Page): Promise<Subscription> {
  return (await page.request.get('/api/user/subscription')).json()
}

/** A day as the page writes it. */
const day = (instant: Date) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format(instant)

test('somebody pays for a plan with a test card and comes to the dashboard', async ({
  page,
  member,
}) => {
  await member()
  const requests = readAlong(page)
  await choosePlan(page, 'Professional')
  await expect(page).toHaveTitle('Pay for Professional – Tessera')
  await expect(page.getByRole('banner')).toContainText('Test mode')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay for Professional')
  const order = region(page, 'Order summary')
  await expect(order).toContainText('Professional, billed annually')
  await expect(order).toContainText('Due today$83.88')
  await expect(order).toContainText('Then $83.88 a year')
  const note = page.getByRole('note', { name: 'Test payment' })
  await expect(note).toContainText('nothing is charged and nothing is stored')
  await expect(note).toContainText(`${PAYS} pays`)
  await fillCard(page, PAYS)
  await button(page, 'Pay $83.88').click()
  await expect(page).toHaveURL('/dashboard?payment=success')
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional', status: 'active' })
  requests.expectNoCard()
})

test('a plan by the month is paid by the month', async ({ page, member }) => {
  await member()
  await choosePlan(page, 'Starter', 'Monthly')
  await expect(region(page, 'Order summary')).toContainText('Starter, billed monthly')
  await expect(region(page, 'Order summary')).toContainText('Then $4.99 a month')
  await expect(button(page, 'Pay $4.99')).toBeVisible()
})

test('somebody who changes their mind goes back to the plan that they chose', async ({
  page,
  member,
}) => {
  await member()
  await choosePlan(page, 'Unlimited', 'Monthly')
  await page.getByRole('link', { name: 'Back to Plans' }).click()
  await expect(page).toHaveURL('/subscription?tier=unlimited&billing=monthly')
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'free' })
})

test('somebody who mistypes reads at each field what to enter', async ({ page, member }) => {
  await member()
  await choosePlan(page, 'Starter')
  const number = page.getByRole('textbox', { name: 'Test card number' })
  await button(page, /^Pay/).click()
  await expect(number).toBeFocused()
  await expect(page.getByText('Enter a month and a year, such as 12/34.')).toBeVisible()
  await expect(page.getByText('Enter any 3 digits.')).toBeVisible()
  const requests = readAlong(page)
  await fillCard(page, '5555 5555 5555 4444')
  await page.getByRole('textbox', { name: 'CVC' }).press('Enter')
  await expect(page.getByText(/^This is not a test card\./)).toBeVisible()
  await expect(number).toBeFocused()
  await expect(number).toHaveAttribute('autocomplete', 'off')
  await fillCard(page, PAYS)
  await page.getByRole('textbox', { name: 'CVC' }).press('Enter')
  await expect(page).toHaveURL('/dashboard?payment=success')
  requests.expectNoCard()
})

test.describe('refused', () => {
  test.use({ expected: /status of (402|404)/ })

  test('somebody whose card is declined reads it, and pays with another', async ({
    page,
    member,
  }) => {
    await member()
    const requests = readAlong(page)
    await choosePlan(page, 'Starter')
    await fillCard(page, DECLINED)
    await button(page, /^Pay/).click()
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('Your card was declined. Nothing was charged.')
    await expect(button(page, /^Pay/)).toBeFocused()
    expect(await subscriptionOf(page)).toMatchObject({ tier: 'free' })
    await fillCard(page, PAYS)
    await button(page, /^Pay/).click()
    await expect(page).toHaveURL('/dashboard?payment=success')
    requests.expectNoCard()
  })

  test('somebody who comes back to a payment that was made reads where to go', async ({
    page,
    member,
  }) => {
    await member()
    await choosePlan(page, 'Starter')
    const made = page.url()
    await buyPlan(page, 'Starter')
    await page.goto(made)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This payment is not open any more',
    )
    await expect(page.getByRole('link', { name: 'Go to your profile' })).toBeVisible()
    await page.getByRole('link', { name: 'Choose a plan' }).click()
    await expect(page).toHaveURL('/subscription')
  })

  test('a payment that is made in another tab is over in this one', async ({ page, member }) => {
    await member()
    await choosePlan(page, 'Starter')
    await fillCard(page, PAYS)
    const path = new URL(page.url()).pathname
    await page.request.post(`${path}/pay`, { data: { card: 'pays' } })
    await button(page, /^Pay/).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This payment is not open any more',
    )
  })

  test('a change that the card does not pay is paid with another', async ({ page, member }) => {
    await member()
    await buyPlan(page, 'Starter', 'Annual', FAILS_LATER)
    await choosePlan(page, 'Professional')
    await button(page, /^Confirm and pay/).click()
    await expect(page.getByRole('alert')).toHaveText('Your card was declined. Nothing was charged.')
    await expect(page.getByRole('textbox', { name: 'Test card number' })).toBeFocused()
    await fillCard(page, PAYS)
    await button(page, /^Pay .* with this card$/).click()
    await expect(page).toHaveURL('/profile?payment=changed')
    expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional' })
  })
})

test.describe('out of order', () => {
  test.use({ expected: /status of 50\d|^50\d:/ })

  test('a page that cannot be loaded says so, and can be loaded again', async ({
    page,
    member,
  }) => {
    await member()
    await page.route(/\/page$/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
    await choosePlan(page, 'Starter')
    await expect(page.getByRole('alert')).toContainText('The payment could not be loaded')
    await page.unroute(/\/page$/)
    await button(page, 'Try again').click()
    await expect(button(page, /^Pay/)).toBeVisible()
  })

  test('while a payment is under way it is not sent again', async ({ page, member }) => {
    await member()
    await choosePlan(page, 'Starter')
    let asked = 0
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/\/pay$/, async (route) => {
      asked++
      await held
      await route.continue()
    })
    await fillCard(page, PAYS)
    await button(page, /^Pay/).click()
    await expect(button(page, 'Paying…')).toBeFocused()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    answer()
    await expect(page).toHaveURL('/dashboard?payment=success')
    expect(asked).toBe(1)
  })
})

test('a visitor signs in first and comes back to the payment', async ({
  page,
  context,
  member,
}) => {
  const { email } = await member()
  await choosePlan(page, 'Starter')
  await expect(button(page, /^Pay/)).toBeVisible()
  const payment = new URL(page.url()).pathname
  await context.clearCookies()
  await page.goto(payment)
  await expect(page).toHaveURL(`/api/login?returnTo=${encodeURIComponent(payment)}`)
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(payment)
  await expect(button(page, /^Pay/)).toBeVisible()
})

test('somebody changes to a higher plan and sees before what it costs', async ({
  page,
  member,
}) => {
  await member()
  await buyPlan(page, 'Starter')
  await choosePlan(page, 'Professional')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Change to Professional')
  const changes = region(page, 'What changes')
  await expect(changes).toContainText(
    'Professional, billed annually (now Starter, billed annually)',
  )
  await expect(changes).toContainText('You can have 10 QR codes instead of 3.')
  await expect(changes).toContainText('Your QR codes can have custom URLs.')
  const costs = region(page, 'What you pay now')
  await expect(costs).toContainText('Not used of Starter, billed annually−$47.88')
  await expect(costs).toContainText('Due now$36.00')
  await button(page, 'Confirm and pay $36.00').click()
  await expect(page).toHaveURL('/profile?payment=changed')
  expect(await subscriptionOf(page)).toMatchObject({ tier: 'professional', qrCodeLimit: 10 })
})

test('a lower plan costs nothing now', async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Unlimited')
  await chooseLowerPlan(page, 'Starter')
  const costs = region(page, 'What you pay now')
  await expect(costs).toContainText('Due now$0.00')
  await button(page, 'Confirm the change').click()
  await expect(page).toHaveURL('/profile?payment=changed')
})

test('somebody cancels their plan, thinks again and resumes it', async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Professional')
  await openPortal(page)
  const plan = region(page, 'Your plan')
  await expect(plan).toContainText('Professional, billed annually')
  await expect(plan.getByRole('status')).toContainText(/^Renews on .* for \$83\.88 a year\.$/)
  await button(page, 'Cancel the plan').click()
  const question = page.getByRole('dialog', { name: 'Cancel your plan?' })
  await question.getByRole('button', { name: 'Keep the plan' }).click()
  await expect(question).toBeHidden()
  await button(page, 'Cancel the plan').click()
  await question.getByRole('button', { name: 'Cancel the plan' }).click()
  await expect(plan.getByRole('status')).toContainText('and does not renew.')
  expect(await subscriptionOf(page)).toMatchObject({ status: 'canceling' })
  await expect(button(page, 'Resume the plan')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(plan.getByRole('status')).toContainText('Renews on')
  expect(await subscriptionOf(page)).toMatchObject({ status: 'active' })
})

test('somebody who opens the card’s form leaves it again as it was', async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Starter')
  await openPortal(page)
  const change = page.getByRole('link', { name: 'Change the plan' })
  await expect(change).toHaveAttribute('data-variant', 'default')
  const card = region(page, 'Your card')
  await button(page, 'Replace the card').click()
  await card.getByRole('button', { name: 'Save the card' }).click()
  await expect(card.getByText('Enter any 3 digits.')).toBeVisible()
  await card.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(card.getByRole('textbox')).toHaveCount(0)
  await expect(button(page, 'Replace the card')).toBeFocused()
  await expect(card.getByRole('status')).toHaveText('A test card that pays.')
})

test('the test clock renews a plan, and ends one whose card fails', async ({ page, member }) => {
  await member()
  await buyPlan(page, 'Starter', 'Monthly', FAILS_LATER)
  const requests = readAlong(page)
  await openPortal(page)
  const clock = region(page, 'Advance the test clock')
  await expect(clock.getByRole('status')).toHaveText(day(new Date()))
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2)
  await clock.getByRole('button', { name: 'To the end of the period' }).click()
  const plan = region(page, 'Your plan')
  await expect(plan.getByRole('status')).toContainText('The last payment failed.')
  await expect(page.getByRole('row').nth(1)).toContainText('Due')
  expect(await subscriptionOf(page)).toMatchObject({ status: 'past_due', tier: 'starter' })

  const card = region(page, 'Your card')
  await expect(card.getByRole('status')).toHaveText('A test card that fails at the renewal.')
  await card.getByRole('button', { name: 'Replace the card' }).click()
  await expect(card.getByRole('textbox', { name: 'Test card number' })).toBeFocused()
  await fillCard(page, PAYS)
  await card.getByRole('button', { name: 'Save the card' }).click()
  await expect(card.getByText('A test card that pays.')).toBeVisible()
  await expect(page.getByRole('row').nth(1)).toContainText('Paid')
  await expect(plan.getByRole('status')).toContainText('Renews on')

  await clock.getByRole('button', { name: 'To the end of the period' }).click()
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(4)
  await button(page, 'Cancel the plan').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the plan' }).click()
  await expect(plan.getByRole('status')).toContainText('does not renew')
  await clock.getByRole('button', { name: 'One month' }).click()
  await expect(plan.getByRole('status')).toHaveText('This plan has ended.')
  await expect(clock.getByRole('button', { name: 'To the end of the period' })).toHaveCount(0)
  expect(await subscriptionOf(page)).toMatchObject({ status: 'canceled' })
  requests.expectNoCard()
})

test('the server’s log tells of payments and of no card', async ({ page }) => {
  const log: string[] = []
  const server = await startProcess({
    environment: { LOG_LEVEL: 'info' },
    onLog: (text) => log.push(text),
  })
  try {
    await page.goto(`${server.origin}/api/login`)
    await signUp(page, `payer-${process.pid}@example.com`)
    await page.goto(`${server.origin}/subscription`)
    await button(page, 'Choose Starter').click()
    await fillCard(page, PAYS)
    await button(page, /^Pay/).click()
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
    await page.goto('about:blank')
  } finally {
    await server.stop()
    await server.remove()
  }
  expect(log.join('')).toMatch(/\/api\/checkout\/[\w-]+\/pay/)
  // The number in any spelling, or its end alone: not four digits of an id or a time.
  expect(log.join('')).not.toMatch(/4242[ -]?4242|(?<![\w-])4242(?![\w-])|12\/34/)
})
