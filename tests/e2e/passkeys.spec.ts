import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { loseSession } from './screens.ts'

const dashboard = (page: Page) => page.getByRole('heading', { name: 'QR Code Dashboard' })
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })

/** Gives the browser passkeys of its own, whose person shows a finger whenever one is asked for. */
async function withPasskeys(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      automaticPresenceSimulation: true,
    },
  })
}

/** Some browsers have no list of passkeys at a field: there the button is the only way. */
const withoutList = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

/** Adds a passkey to the account that is signed in, as the settings do. */
async function addPasskey(page: Page) {
  await page.goto('/profile')
  const status = await page.evaluate(async () => {
    const post = (path: string, body: object) =>
      fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const options = await (await post('/api/account/passkeys/options', {})).json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
    const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
    return (await post('/api/account/passkeys', { name: '', response: made.toJSON() })).status
  })
  expect(status).toBe(200)
}

test('somebody signs in with a passkey by the button', async ({ page, member }) => {
  await member()
  await withPasskeys(page)
  await addPasskey(page)
  await loseSession(page)
  await withoutList(page)
  await page.goto('/api/login?returnTo=%2Fprofile')
  await passkeyButton(page).click()
  await expect(page).toHaveURL('/profile')
})

test('somebody chooses a passkey in the list of the address’s field', async ({ page, member }) => {
  await member()
  await withPasskeys(page)
  await addPasskey(page)
  await loseSession(page)
  // The list is the browser's own: its virtual authenticator chooses at once.
  await page.goto('/api/login')
  await expect(dashboard(page)).toBeVisible()
})

test('somebody without a passkey here reads that none was used, and signs in another way', async ({
  page,
}) => {
  await withPasskeys(page)
  await page.goto('/api/login')
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'No passkey was used. Try again, or sign in another way.',
  )
  await expect(passkeyButton(page)).toBeEnabled()
})

test.describe('a passkey of an account that has removed it', () => {
  test.use({ expected: /status of 401/ })

  test('is refused in words', async ({ page, context, member }) => {
    await member()
    await withPasskeys(page)
    await addPasskey(page)
    const { passkeys } = await (await page.request.get('/api/account')).json()
    const headers = { origin: new URL(page.url()).origin }
    for (const { id } of passkeys)
      await page.request.delete(`/api/account/passkeys/${id}`, { headers })
    await context.clearCookies()
    await withoutList(page)
    await page.goto('/api/login')
    await passkeyButton(page).click()
    await expect(page.getByRole('alert')).toHaveText(
      'We do not know this passkey. Sign in another way.',
    )
  })
})
