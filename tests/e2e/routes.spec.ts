import type { Page } from '@playwright/test'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'
import { expectSentToSignIn } from './screens.ts'

const HERO = 'Create & Manage QR Codes Like a Pro'

/** The browser's own line about a refused call that the screen is meant to make. */
const refused = (status: number) => new RegExp(`status of ${status}`)

/** The API paths that a page asks for. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

async function signIn(page: Page, email: string) {
  await page.getByRole('textbox', { name: 'E-mail' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('a visitor finds the landing page at /, which asks the server for nothing', async ({
  page,
}) => {
  const calls = callsOf(page)
  await page.goto('/')
  await expect(page.getByRole('heading', { name: HERO })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls).toEqual([])
})

test('somebody signed in finds the dashboard at / and at /dashboard', async ({ page, member }) => {
  await member()
  for (const path of ['/', '/dashboard']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('QR Code Dashboard')
    await expect(page).toHaveURL(path)
  }
})

test('somebody signed in finds their profile and the plans', async ({ page, member }) => {
  await member()
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await page.goto('/subscription')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose Your Plan')
})

test('somebody signed in who opens the sign-in page goes where it would have sent them', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/api/login?returnTo=%2Fprofile')
  await expect(page).toHaveURL('/profile')
})

test.describe('signed out', () => {
  test.use({ expected: refused(401) })

  test('a visitor who opens the dashboard signs in and comes back to it', async ({
    page,
    context,
    member,
  }) => {
    const { email } = await member()
    await context.clearCookies()
    const saying = 'You are logged out. Logging in again...'
    const toast = { title: 'Unauthorized', saying, from: '/dashboard' }
    await expectSentToSignIn(page, toast, () => page.goto('/dashboard'))
    await signIn(page, email)
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
    await expect(page).toHaveURL('/dashboard')
  })

  test('a visitor has half a second to read why they are sent to sign in', async ({ page }) => {
    const answer = Promise.withResolvers<void>()
    await page.route('**/api/auth/user', async (route) => {
      await answer.promise
      await route.continue()
    })
    await page.clock.install()
    await page.goto('/dashboard')
    await expect(page.getByRole('status')).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    answer.resolve()
    await expect(async () => {
      await page.clock.runFor(1)
      expect(await page.getByText('You are logged out. Logging in again...').count()).toBe(1)
    }).toPass()
    await page.clock.runFor(500 - 50)
    await expect(page).toHaveURL('/dashboard')
    await page.clock.runFor(50)
    await page.waitForURL(/\/api\/login/)
  })

  test('a visitor who opens the profile is asked to log in', async ({ page }) => {
    await page.goto('/profile')
    await expect(page.getByText('Please log in', { exact: true })).toBeVisible()
    await page.getByRole('link', { name: 'Log In' }).click()
    await expect(page).toHaveURL('/api/login')
  })

  test('a visitor who opens the plans signs in and comes back to the plan they chose', async ({
    page,
    context,
    member,
  }) => {
    const { email } = await member()
    await context.clearCookies()
    const from = '/subscription?tier=starter&billing=monthly'
    const saying = 'Please log in to manage your subscription'
    const toast = { title: 'Unauthorized', saying, from }
    await expectSentToSignIn(page, toast, () => page.goto(from))
    await signIn(page, email)
    await expect(page).toHaveURL(from)
    await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
  })

  for (const path of ['/dashboard', '/profile', '/subscription']) {
    test(`a visitor who opens ${path} causes no call that needs an account`, async ({ page }) => {
      const calls = callsOf(page)
      await page.goto(path)
      await expect(page.getByText(/Please log in|No account yet/)).toBeVisible()
      const withoutAccount = [
        ...['/api/auth/user', '/api/config', '/api/login'],
        '/api/auth/passkey/options',
      ]
      expect(calls.filter((call) => !withoutAccount.includes(call))).toEqual([])
    })
  }
})

test.describe('any other path', () => {
  test.use({ expected: refused(404) })

  for (const path of ['/nowhere', '/dashboard/more', '/login', '/profile.html']) {
    test(`a visitor at ${path} reads that there is no such page`, async ({ page }) => {
      const calls = callsOf(page)
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expectNotFound(page)
      expect(calls).toEqual([])
    })
  }

  test('somebody signed in reads the same', async ({ page, member }) => {
    await member()
    const response = await page.goto('/nowhere')
    expect(response?.status()).toBe(404)
    await expectNotFound(page)
    await page.getByRole('link', { name: 'Back to the start page' }).click()
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
  })

  async function expectNotFound(page: Page) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
    await expect(page).toHaveTitle(/404 Page Not Found/)
  }
})

for (const path of ['/', '/dashboard', '/profile', '/subscription']) {
  test(`a spinner turns at ${path} until it is known who is there`, async ({ page, member }) => {
    await member()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('/api/auth/user', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
    await expect(page.getByRole('heading')).toHaveCount(0)
    answer()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden()
  })
}

test.describe('while the server fails', () => {
  test.use({ expected: /503/ })

  test('somebody whose account cannot be read is told why, and tries again', async ({
    page,
    member,
  }) => {
    await member()
    await page.route('/api/auth/user', (route) =>
      route.fulfill({ status: 503, json: { message: 'Back in a minute.', code: 'unavailable' } }),
    )
    await page.goto('/dashboard')
    await expect(page.getByRole('alert')).toContainText('Back in a minute.')
    await page.unroute('/api/auth/user')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
  })
})
