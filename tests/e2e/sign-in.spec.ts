import type { Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import { mailsTo } from '../support/outbox.ts'
import { expect, test } from './fixtures.ts'
import { signIn } from './screens.ts'
import { mailedLink } from './smtp.ts'

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })

const toSignUp = (page: Page) => page.getByRole('link', { name: 'Sign up' }).click()

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })

test('a newcomer signs up, logs out and signs in again', async ({ page }) => {
  const address = `newcomer-${process.pid}-${Date.now()}@example.com`
  await page.goto('/api/login')
  await expect(page).toHaveTitle('Log in – Tessera')
  await toSignUp(page)
  await fillSignUp(page, address, PASSWORD)
  await expect(dashboard(page)).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('Ada')

  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()

  await page.getByRole('link', { name: 'Login' }).click()
  await signIn(page, address.toUpperCase())
  await expect(dashboard(page)).toBeVisible()
})

test('each mistake is shown at its field, a refusal above', async ({ page, context, member }) => {
  await page.goto('/api/login?returnTo=%2Fprofile')
  await test.step('the first field has the focus, and a mistake stands at its field', async () => {
    await expect(email(page)).toBeFocused()
    await press(page, 'Log in')
    await expect(email(page)).toHaveAccessibleDescription('Enter a valid email address')
    await expect(password(page)).toHaveAccessibleDescription('Password is required')
    await expect(email(page)).toBeFocused()
  })
  await test.step('the address is typed once', async () => {
    await email(page).fill('ada@example.com')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await expect(page).toHaveURL('/api/login?step=forgot&returnTo=%2Fprofile')
    await expect(email(page)).toHaveValue('ada@example.com')
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    await toSignUp(page)
    await expect(page).toHaveTitle('Create an account – Tessera')
    await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
    await expect(email(page)).toHaveValue('ada@example.com')
  })
  await test.step('a newcomer reads at each field what is missing', async () => {
    await fillSignUp(page, 'ada', 'short')
    await expect(email(page)).toHaveAccessibleDescription('Enter a valid email address')
    const wanted = 'Password must be at least 8 characters'
    await expect(password(page)).toHaveAccessibleDescription(wanted)
    await expect(email(page)).toBeFocused()
  })
  await test.step('Back keeps the address', async () => {
    await email(page).fill('ada@example.com')
    await page.goBack()
    await expect(email(page)).toBeFocused()
    await expect(email(page)).toHaveValue('ada@example.com')
  })

  const account = await member()
  await context.clearCookies()
  await page.goto('/api/login?returnTo=%2Fsubscription%3Ftier%3Dstarter')
  const alert = page.getByRole('alert')
  await signIn(page, account.email, 'not the password')
  await expect(alert).toHaveText('Wrong email address or password.')
  await expect(email(page)).toHaveValue(account.email)

  await page.route('/api/auth/sign-in/email', (route) => route.abort())
  await signIn(page, account.email)
  await expect(alert).toHaveText('We can’t reach the server. Please try again.')
  await page.unroute('/api/auth/sign-in/email')
  await signIn(page, account.email)
  await expect(page).toHaveURL('/subscription?tier=starter')

  await context.clearCookies()
  await page.goto('/api/login')
  await toSignUp(page)
  await fillSignUp(page, `common-${process.pid}@example.com`, 'password123')
  await expect(password(page)).toHaveAccessibleDescription(
    'This is a very common password. Please choose another one.',
  )
  await expect(password(page)).toBeFocused()
  await fillSignUp(page, account.email, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(
    'An account with this email address already exists. Log in instead.',
  )
})

test.use({ expected: /status of (401|409|422)|ERR_FAILED/ })

async function fillSignUp(page: Page, address: string, secret: string) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await email(page).fill(address)
  await password(page).fill(secret)
  await press(page, 'Create account')
}

test('without a mail server the operator has the mail for a forgotten password', {
  tag: '@soak',
}, async ({ page, context, member, server }) => {
  const account = await member()
  await context.clearCookies()
  await page.goto('/api/login')
  await expect(page.getByRole('button', { name: 'Email me a login link' })).toHaveCount(0)
  await email(page).fill(account.email)
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await press(page, 'Ask for a link')
  await expect(page.getByRole('main')).toContainText(
    'This site can’t send email yet. Please ask the person who runs it.',
  )
  await page.goto(await mailedLink(() => mailsTo(server, account.email), account.email))
  await page.getByRole('textbox', { name: 'New password' }).fill('a whole new secret')
  await press(page, 'Change password')
  await signIn(page, account.email, 'a whole new secret')
  await expect(dashboard(page)).toBeVisible()
})
