import { TestProvider } from '../support/oidc-provider.ts'
import { test as base, expect } from './fixtures.ts'

const test = base.extend<object, { provider: TestProvider }>({
  provider: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from it
    async ({}, use) => {
      const provider = await TestProvider.at()
      await use(provider)
      await provider.stop()
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ provider }, use) => use({ ...provider.environment, PASSWORD_LOGIN: 'off' }),
    { scope: 'worker' },
  ],
})

test.beforeEach(async ({ provider, server }) => {
  await provider.stop()
  await provider.start(server.origin)
})

const person = {
  ...{ sub: 'grace', email: 'grace@example.com', email_verified: true },
  ...{ name: 'Grace Hopper', given_name: 'Grace', family_name: 'Hopper' },
}

test.describe('whoever has the provider alone', () => {
  // The page that is left may ask once more who is signed in.
  test.use({ expected: /status of 401/ })

  test('comes in by it, and goes out of both', async ({ page, provider, server }) => {
    provider.person = person
    await page.goto('/api/login?returnTo=/dashboard')
    await expect(page).toHaveURL('/dashboard')
    await expect(page.getByRole('banner')).toContainText('Grace')
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(page).toHaveURL((url) => url.origin === provider.issuer)
    await page.getByRole('button', { name: 'Sign me out' }).click()
    await expect(page).toHaveURL(`${server.origin}/`)
    const user = await page.request.get('/api/auth/user')
    expect(user.status()).toBe(401)
  })
})

test.describe('whoever declines', () => {
  // The page says it with this status.
  test.use({ expected: /status of 403/ })

  test('gets a page from which another try begins', async ({ page, provider }) => {
    provider.person = person
    provider.isDenied = true
    await page.goto('/api/login?returnTo=/profile')
    await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible()
    provider.isDenied = false
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible()
  })
})

test('somebody links the provider in the settings', async ({ page, member, provider }) => {
  await member()
  provider.person = { ...person, sub: 'another', email_verified: false }
  await page.goto('/profile?settings=sign-in')
  await page.getByRole('button', { name: 'Link with Example ID' }).click()
  await expect(page.getByText('Your account is linked')).toBeVisible()
})
