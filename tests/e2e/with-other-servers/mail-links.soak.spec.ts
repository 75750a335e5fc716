import type { Page } from '@playwright/test'
import { PASSWORD } from '../../support/enrolment.ts'
import { expect } from '../fixtures.ts'
import { mailedLink, withMail } from '../smtp.ts'

const test = withMail({ VERIFY_EMAIL: 'required' })

// The server differs from the usual one: started once, not once a worker.
test.describe.configure({ mode: 'default' })

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

let people = 0
const newAddress = () => `mailed-${process.pid}-${Date.now()}-${people++}@example.com`

// The server asks for the password, and refuses a wrong one.
test.use({ expected: /status of (401|403|410|422)/ })

test('a user signs in by a mailed link', async ({ page, context, member, mailServer }) => {
  const account = await member()
  await context.clearCookies()
  await page.goto('/api/login?returnTo=%2Fprofile')
  await press(page, 'Email me a login link')
  await expect(field(page, 'Email')).toHaveAccessibleDescription('Enter a valid email address')
  await expect(field(page, 'Email')).toBeFocused()
  await field(page, 'Email').fill(account.email)
  await press(page, 'Email me a login link')
  await expect(heading(page, 'Check your email')).toBeFocused()
  await expect(page.getByText(account.email)).toBeVisible()

  await page.goto(await mailedLink(() => mailServer.received, account.email))
  await expect(heading(page, 'Log in with your link')).toBeFocused()
  await press(page, 'Log in')
  await expect(dashboard(page)).toBeVisible()
})

test('a new password comes by a mailed link', async ({ page, context, member, mailServer }) => {
  const account = await member()
  await context.clearCookies()
  for (const address of [newAddress(), account.email]) {
    await page.goto('/api/login')
    await field(page, 'Email').fill(address)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(field(page, 'Email')).toHaveValue(address)
    await press(page, 'Email me a link')
    const wanted = `If there’s an account for this address, we’ve sent an email: ${address}`
    await expect(page.getByRole('main')).toContainText(wanted)
  }
  const link = await mailedLink(() => mailServer.received, account.email)

  // A page that was loaded again has forgotten the link.
  await page.goto(link)
  await expect(page).toHaveURL('/api/login?link=reset-password')
  await page.reload()
  await expect(heading(page, 'Open the link again')).toBeVisible()
  await page.goto(link)
  await expect(field(page, 'New password')).toBeFocused()
  await field(page, 'New password').fill('a whole new secret')
  await press(page, 'Change password')
  await expect(page.getByRole('status')).toHaveText(
    'Your password has been changed. Log in with the new one.',
  )
  await field(page, 'Email').fill(account.email)
  await field(page, 'Password').fill('a whole new secret')
  await press(page, 'Log in')
  await expect(dashboard(page)).toBeVisible()

  await page.goto(link)
  await field(page, 'New password').fill('another new secret')
  await press(page, 'Change password')
  await expect(heading(page, 'This link no longer works')).toBeVisible()
  await field(page, 'Email').fill(account.email)
  await press(page, 'Ask for a new link')
  await expect(heading(page, 'Check your email')).toBeVisible()
})

test('a newcomer proves the address before the sign-in', async ({ page, mailServer }) => {
  const address = newAddress()
  await page.goto('/api/login?new')
  await field(page, 'Name').fill('Ada Lovelace')
  await field(page, 'Email').fill(address)
  await field(page, 'Password').fill(PASSWORD)
  await press(page, 'Create account')
  await expect(heading(page, 'Check your email')).toBeFocused()
  await expect(page.getByText(address)).toBeVisible()
  await page.reload()
  await press(page, 'Send again')
  await expect(page.getByRole('status')).toHaveText('We’ve sent it again.')
  const link = await mailedLink(() => mailServer.received, address, 2)

  await page.goBack()
  await expect(heading(page, 'Create an account')).toBeVisible()
  await page.goto(link)
  await press(page, 'Confirm address')
  await expect(field(page, 'Password')).toBeFocused()
  await field(page, 'Password').fill('a wrong guess')
  await press(page, 'Confirm address')
  await expect(field(page, 'Password')).toHaveAccessibleDescription('Wrong password.')
  await field(page, 'Password').fill(PASSWORD)
  await press(page, 'Confirm address')
  await expect(heading(page, 'Your address is confirmed')).toBeFocused()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(dashboard(page)).toBeVisible()
})
