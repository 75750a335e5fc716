import type { Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, signUp, test } from './fixtures.ts'

const email = (page: Page) => page.getByRole('textbox', { name: 'E-mail' })
const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })

async function signIn(page: Page, address: string, secret = PASSWORD) {
  await email(page).fill(address)
  await password(page).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const toSignUp = (page: Page) => page.getByRole('link', { name: 'Create an account' }).click()

const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })

test('a newcomer signs up, logs out and signs in again', async ({ page }) => {
  const address = `newcomer-${process.pid}-${Date.now()}@example.com`
  await page.goto('/api/login')
  await expect(page).toHaveTitle('Sign in – Tessera')
  await toSignUp(page)
  await signUp(page, address)
  await expect(page.getByRole('banner')).toContainText('Ada')

  await page.getByRole('link', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()

  await page.getByRole('link', { name: 'Login' }).click()
  await signIn(page, address.toUpperCase())
  await expect(dashboard(page)).toBeVisible()
})

test('the first field has the focus when the page opens, and when it changes', async ({ page }) => {
  await page.goto('/api/login')
  await expect(email(page)).toBeFocused()
  await toSignUp(page)
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
})

test('Back leads from step to step, and nobody types the address twice', async ({ page }) => {
  await page.goto('/api/login?returnTo=%2Fprofile')
  await email(page).fill('ada@example.com')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL('/api/login?step=forgot&returnTo=%2Fprofile')
  await expect(email(page)).toHaveValue('ada@example.com')
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await toSignUp(page)
  await expect(page).toHaveTitle('Create an account – Tessera')
  await expect(email(page)).toHaveValue('ada@example.com')
  await page.goBack()
  await expect(email(page)).toBeFocused()
  await expect(email(page)).toHaveValue('ada@example.com')
})

test('somebody who leaves fields empty reads at each what is missing', async ({ page }) => {
  await page.goto('/api/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(email(page)).toHaveAccessibleDescription('Enter a valid e-mail address')
  await expect(password(page)).toHaveAccessibleDescription('Password is required')
  await expect(email(page)).toBeFocused()
})

test('a newcomer who leaves fields empty reads at each what is missing', async ({ page }) => {
  await page.goto('/api/login')
  await toSignUp(page)
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
  await email(page).fill('ada')
  await password(page).fill('short')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(email(page)).toHaveAccessibleDescription('Enter a valid e-mail address')
  await expect(password(page)).toHaveAccessibleDescription('Password must be at least 8 characters')
  await expect(email(page)).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
})

test.describe('refused', () => {
  test.use({ expected: /status of (401|409|422)/ })

  test('somebody with a wrong password is told so, and comes in with the right one', async ({
    page,
    context,
    member,
  }) => {
    const account = await member()
    await context.clearCookies()
    await page.goto('/api/login')
    await signIn(page, account.email, 'not the password')
    const alert = page.getByRole('alert')
    await expect(alert).toHaveText('The e-mail address or the password is wrong.')
    await expect(email(page)).toHaveValue(account.email)
    await signIn(page, account.email)
    await expect(dashboard(page)).toBeVisible()
  })

  test('a newcomer whose address has an account is told to sign in', async ({
    page,
    context,
    member,
  }) => {
    const account = await member()
    await context.clearCookies()
    await page.goto('/api/login')
    await toSignUp(page)
    await fillSignUp(page, account.email, PASSWORD)
    await expect(page.getByRole('alert')).toHaveText(
      'An account with this e-mail address already exists. Sign in instead.',
    )
  })

  test('a newcomer with a common password is asked at the field for another', async ({ page }) => {
    await page.goto('/api/login')
    await toSignUp(page)
    await fillSignUp(page, `common-${process.pid}@example.com`, 'password123')
    await expect(password(page)).toHaveAccessibleDescription(
      'This password is among the most common ones. Please choose another.',
    )
    await expect(password(page)).toBeFocused()
  })
})

test('somebody who was sent here comes back to where they were', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  await context.clearCookies()
  await page.goto('/api/login?returnTo=%2Fsubscription%3Ftier%3Dstarter')
  await signIn(page, account.email)
  await expect(page).toHaveURL('/subscription?tier=starter')
})

test('a link that would lead to another site leads to the dashboard', async ({
  page,
  context,
  member,
}) => {
  const account = await member()
  await context.clearCookies()
  await page.goto(`/api/login?returnTo=${encodeURIComponent('/.//evil.example')}`)
  await signIn(page, account.email)
  await expect(dashboard(page)).toBeVisible()
  await expect(page).toHaveURL('/')
})

test.describe('cut off', () => {
  test.use({ expected: /ERR_FAILED/ })

  test('somebody who cannot reach the server is told so and can try again', async ({
    page,
    context,
    member,
  }) => {
    const account = await member()
    await context.clearCookies()
    await page.goto('/api/login')
    await page.route('/api/auth/sign-in/email', (route) => route.abort())
    await signIn(page, account.email)
    await expect(page.getByRole('alert')).toHaveText(
      'The server could not be reached. Please try again.',
    )
    await page.unroute('/api/auth/sign-in/email')
    await signIn(page, account.email)
    await expect(dashboard(page)).toBeVisible()
  })
})

async function fillSignUp(page: Page, address: string, secret: string) {
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await email(page).fill(address)
  await password(page).fill(secret)
  await page.getByRole('button', { name: 'Create account' }).click()
}
