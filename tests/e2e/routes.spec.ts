import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { expectSentToSignIn, signIn } from './screens.ts'

const USER = /\/api\/auth\/user/

/** The browser's line about a refused call that the screen is meant to make. */
const refused = (status: number) => new RegExp(`status of ${status}`)

/** Records the API paths of a page's calls. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(pathname)
  })
  return calls
}

test('a signed-in user finds each page at its path after a spinner', async ({ page, member }) => {
  await member()
  const name = page.getByRole('heading', { name: 'Ada Lovelace' })
  for (const [path, title] of [
    ['/', 'QR Code Dashboard'],
    ['/dashboard', 'QR Code Dashboard'],
    ['/profile', 'Profile'],
    ['/subscription', 'Choose Your Plan'],
  ] as const) {
    await test.step(path, async () => {
      const held = await HeldAnswers.hold(page, USER)
      await page.goto(path)
      await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible()
      await expect(page.getByRole('heading')).toHaveCount(0)
      await held.release(USER)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
      await expect(page.getByRole('status', { name: 'Loading' })).toBeHidden()
      await expect(page).toHaveURL(path)
      if (path === '/profile') await expect(name).toBeVisible()
      await page.unrouteAll({ behavior: 'wait' })
    })
  }
  await test.step('the sign-in page leads on at once', async () => {
    await page.goto('/api/login?returnTo=%2Fprofile')
    await expect(page).toHaveURL('/profile')
  })
})

test.describe('signed out', () => {
  test.use({ expected: refused(401) })

  test('a page of an account makes no call', { tag: '@soak' }, async ({ context }) => {
    const calls: string[] = []
    for (const path of ['/dashboard', '/subscription', '/profile']) {
      // A page of its own: the one before may still be on its way to the sign-in.
      const page = await context.newPage()
      const asked = callsOf(page)
      await page.goto(path)
      await expect(page.getByText(/Please log in|No account yet/)).toBeVisible()
      calls.push(...asked)
      await page.close()
    }
    const withoutAccount = [
      '/api/auth/user',
      '/api/config',
      '/api/login',
      '/api/auth/passkey/options',
    ]
    expect(calls.filter((call) => !withoutAccount.includes(call))).toEqual([])
  })

  test('a visitor signs in and comes back to the plan', async ({ page, context, member }) => {
    const { email } = await member()
    await context.clearCookies()
    const from = '/subscription?tier=starter&billing=monthly'
    const saying = 'Please log in to manage your subscription'
    const toast = { title: 'Unauthorized', saying, from }
    await expectSentToSignIn(page, toast, () => page.goto(from))
    await signIn(page, email)
    await expect(page).toHaveURL(from)
    await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()

    await context.clearCookies()
    await page.unrouteAll({ behavior: 'wait' })
    const held = await HeldAnswers.hold(page, USER)
    await page.clock.install()
    await page.goto('/dashboard')
    await expect(page.getByRole('status')).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await held.release(USER)
    await expect(async () => {
      await page.clock.runFor(1)
      expect(await page.getByText('You are logged out. Logging in again...').count()).toBe(1)
    }).toPass()
    await page.clock.runFor(500 - 50)
    await expect(page).toHaveURL('/dashboard')
    await page.clock.runFor(50)
    await page.waitForURL(/\/api\/login/)
  })
})

test.describe('any other path', () => {
  test.use({ expected: refused(404) })

  test('a visitor and a user read that the page was not found', async ({ page, member }) => {
    const calls = callsOf(page)
    for (const path of ['/dashboard/more', '/nowhere']) {
      expect((await page.goto(path))?.status()).toBe(404)
      await expectNotFound(page)
    }
    expect(calls).toEqual([])
    await member()
    expect((await page.goto('/nowhere'))?.status()).toBe(404)
    await expectNotFound(page)
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
  })

  async function expectNotFound(page: Page) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found')
    await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible()
    await expect(page).toHaveTitle(/404 Page Not Found/)
  }
})
