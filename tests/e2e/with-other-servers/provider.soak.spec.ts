import { TestProvider } from '../../support/oidc-provider.ts'
import { test as base, expect } from '../fixtures.ts'
import { expectToast } from '../screens.ts'

type Options = { provider: TestProvider; hasPasswords: boolean }

const test = base.extend<object, Options>({
  hasPasswords: [false, { scope: 'worker' }],
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
    async ({ provider, hasPasswords }, use) =>
      use({ ...provider.environment, PASSWORD_LOGIN: hasPasswords ? 'on' : 'off' }),
    { scope: 'worker' },
  ],
})

// The server differs from the usual one: started once, not once a worker.
test.describe.configure({ mode: 'default' })

test.beforeEach(async ({ provider, server }) => {
  await provider.stop()
  await provider.start(server.origin)
})

const person = {
  sub: 'grace',
  email: 'grace@example.com',
  email_verified: true,
  name: 'Grace Hopper',
  given_name: 'Grace',
  family_name: 'Hopper',
}

test.describe('a user with the provider alone', () => {
  // A page that is left may ask for the session again, and a refusal has the status 403.
  test.use({ expected: /status of 40[13]/ })

  test('can decline, sign in, and sign out of both', async ({ page, provider, server }) => {
    provider.person = person
    provider.isDenied = true
    await page.goto('/api/login?returnTo=/profile')
    await expect(page.getByRole('heading', { name: 'You’re not logged in' })).toBeVisible()
    provider.isDenied = false
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible()
    await expect(page.getByRole('banner')).toContainText('Grace')
    await page.getByRole('link', { name: 'Logout' }).click()
    await expect(page).toHaveURL((url) => url.origin === provider.issuer)
    await page.getByRole('button', { name: 'Sign me out' }).click()
    await expect(page).toHaveURL(`${server.origin}/`)
    const user = await page.request.get('/api/auth/user')
    expect(user.status()).toBe(401)
  })
})

const besidePasswords = test.extend<object, { hasPasswords: boolean }>({
  hasPasswords: [true, { scope: 'worker' }],
})

besidePasswords('a user links and unlinks the provider', async ({ page, member, provider }) => {
  await member()
  provider.person = { ...person, sub: 'another', email_verified: false }
  await page.goto('/profile?settings=sign-in')
  await page.getByRole('button', { name: 'Link with Example ID' }).click()
  await expect(page.getByText('Your account is linked')).toBeVisible()
  await page.getByRole('button', { name: 'Unlink Example ID' }).click()
  const question = page.getByRole('dialog', { name: 'Unlink Example ID?' })
  await question.getByRole('button', { name: 'Unlink' }).click()
  await expectToast(page, 'Success', 'Login service unlinked')
  await expect(page.getByRole('button', { name: 'Link with Example ID' })).toBeVisible()
})
