import type { Page } from '@playwright/test'
import { appCode } from '../support/authenticator-app.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })

/** Calls as the settings do. */
async function call<T>(page: Page, path: string, data: object = {}): Promise<T> {
  const origin = new URL(page.url()).origin
  const response = await page.request.post(path, { data, headers: { origin } })
  if (!response.ok()) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}

async function signIn(page: Page, email: string) {
  await page.goto('/api/login?returnTo=%2Fprofile')
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(PASSWORD)
  await press(page, 'Sign in')
}

test.describe('an authenticator app', () => {
  test.use({ expected: /status of 40[13]/ })

  test('gives the code of a sign-in; recovery codes do too', async ({ page, context, member }) => {
    const { email } = await member()
    await page.goto('/profile')
    const { secret } = await call<{ secret: string }>(page, '/api/account/second-factor')
    const code = appCode(secret, new Date())
    const path = '/api/account/second-factor/confirm'
    const { codes } = await call<{ codes: string[] }>(page, path, { code })
    await context.clearCookies()

    await signIn(page, email)
    await expect(field(page, 'Code')).toBeFocused()
    await expect(field(page, 'Code')).toHaveAttribute('autocomplete', 'one-time-code')
    await expect(field(page, 'Code')).toHaveAttribute('inputmode', 'numeric')
    await field(page, 'Code').fill(code)
    await press(page, 'Sign in')
    // A code works once.
    await expect(field(page, 'Code')).toHaveAccessibleDescription(
      'That code is wrong. Try the newest one.',
    )
    await expect(field(page, 'Code')).toBeFocused()
    await page.reload()
    await field(page, 'Code').fill(appCode(secret, new Date(Date.now() + 30_000)))
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/profile')

    await context.clearCookies()
    await signIn(page, email)
    await press(page, 'Use a recovery code')
    await expect(field(page, 'Recovery code')).toBeFocused()
    await field(page, 'Recovery code').fill(codes[0]?.toUpperCase() ?? '')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/profile')

    // Without a password before the sign-in begins again.
    await context.clearCookies()
    await page.goto('/api/login?step=code')
    await field(page, 'Code').fill('123456')
    await press(page, 'Sign in')
    await expect(page.getByRole('alert')).toHaveText(
      'This sign-in has expired. Please start again.',
    )
    await expect(page).toHaveURL('/api/login')
    await expect(dashboard(page)).toHaveCount(0)
  })
})
