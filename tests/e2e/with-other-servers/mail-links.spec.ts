import type { Page } from '@playwright/test'
import { PASSWORD } from '../../support/enrolment.ts'
import { test as base, expect } from '../fixtures.ts'
import { mailsTo } from '../outbox.ts'
import { mailedLink, withMail } from '../smtp.ts'

const test = withMail()

// The server differs from the usual one: started once, not once a worker.
test.describe.configure({ mode: 'default' })

const email = (page: Page) => page.getByRole('textbox', { name: 'E-mail' })
const password = (page: Page, name = 'Password') => page.getByRole('textbox', { name, exact: true })
const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

let people = 0
const someone = () => `mailed-${process.pid}-${Date.now()}-${people++}@example.com`

test.describe('by mail', () => {
  test('a user signs in by a mailed link', async ({ page, context, member, mailServer }) => {
    const account = await member()
    await context.clearCookies()
    await page.goto('/api/login?returnTo=%2Fprofile')
    await press(page, 'Sign in with a mailed link')
    await expect(email(page)).toHaveAccessibleDescription('Enter a valid e-mail address')
    await expect(email(page)).toBeFocused()
    await email(page).fill(account.email)
    await press(page, 'Sign in with a mailed link')
    await expect(heading(page, 'Check your mail')).toBeFocused()
    await expect(page.getByText(account.email)).toBeVisible()

    await page.goto(await mailedLink(() => mailServer.mails, account.email))
    await expect(heading(page, 'Sign in with your link')).toBeFocused()
    await press(page, 'Sign in')
    await expect(dashboard(page)).toBeVisible()
  })
})

test.describe('a new password', () => {
  test.use({ expected: /status of (401|410|422)/ })

  test('comes by a mailed link that works once', async ({ page, context, member, mailServer }) => {
    const account = await member()
    await context.clearCookies()
    for (const address of [someone(), account.email]) {
      await page.goto('/api/login')
      await email(page).fill(address)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await expect(email(page)).toHaveValue(address)
      await press(page, 'Mail me a link')
      await expect(page.getByRole('main')).toContainText(
        `If there is an account for this address, a mail is on its way: ${address}`,
      )
    }
    await press(page, 'Send it again')
    await expect(page.getByRole('status')).toHaveText('It is on its way again.')
    const link = await mailedLink(() => mailServer.mails, account.email, 2)

    // A page that was loaded again has forgotten the link.
    await page.goto(link)
    await expect(page).toHaveURL('/api/login?link=reset-password')
    await page.reload()
    await expect(heading(page, 'Open the link again')).toBeVisible()
    await page.goto(link)
    await expect(password(page, 'New password')).toBeFocused()
    await password(page, 'New password').fill('password123')
    await press(page, 'Change my password')
    await expect(password(page, 'New password')).toHaveAccessibleDescription(
      'This password is among the most common ones. Please choose another.',
    )
    await password(page, 'New password').fill('a whole new secret')
    await press(page, 'Change my password')
    await expect(page.getByRole('status')).toHaveText(
      'Your password is changed. Sign in with the new one.',
    )

    await email(page).fill(account.email)
    await password(page).fill(PASSWORD)
    await press(page, 'Sign in')
    await expect(page.getByRole('alert')).toBeVisible()
    await password(page).fill('a whole new secret')
    await press(page, 'Sign in')
    await expect(dashboard(page)).toBeVisible()

    await page.goto(link)
    await password(page, 'New password').fill('another new secret')
    await press(page, 'Change my password')
    await expect(heading(page, 'This link no longer works')).toBeVisible()
    await email(page).fill(account.email)
    await press(page, 'Ask for a new link')
    await expect(heading(page, 'Check your mail')).toBeVisible()
  })
})

test.describe('the proof of an address', () => {
  test.use({ expected: /status of (401|403)/ })

  async function signUp(page: Page, address: string) {
    await page.goto('/api/login?new')
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await email(page).fill(address)
    await password(page).fill(PASSWORD)
    await press(page, 'Create account')
    await expect(dashboard(page)).toBeVisible()
  }

  test('takes the press of a button by a signed-in user', async ({ page, mailServer }) => {
    const address = someone()
    await signUp(page, address)
    await page.goto(await mailedLink(() => mailServer.mails, address))
    await expect(heading(page, 'Confirm your address')).toBeVisible()
    await press(page, 'Confirm my address')
    await expect(heading(page, 'Your address is confirmed')).toBeFocused()
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(dashboard(page)).toBeVisible()
  })
})

base.describe('without a mail server', () => {
  base(
    'the operator has the mail for a forgotten password',
    async ({ page, context, member, server }) => {
      const account = await member()
      await context.clearCookies()
      await page.goto('/api/login')
      await expect(page.getByRole('button', { name: 'Sign in with a mailed link' })).toHaveCount(0)
      await email(page).fill(account.email)
      await page.getByRole('link', { name: 'Forgot your password?' }).click()
      await press(page, 'Ask for a link')
      await expect(page.getByRole('main')).toContainText(
        'No mail server is configured; ask your operator',
      )
      await page.goto(await mailedLink(() => mailsTo(server, account.email), account.email))
      await password(page, 'New password').fill('a whole new secret')
      await press(page, 'Change my password')
      await email(page).fill(account.email)
      await password(page).fill('a whole new secret')
      await press(page, 'Sign in')
      await expect(dashboard(page)).toBeVisible()
    },
  )
})
