import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectToast, loseSession } from './screens.ts'

const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

/** Gives the browser passkeys of its own, confirmed by a finger at each request. */
async function withPasskeys(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Some browsers have no list of passkeys at a field: there the button is the only way. */
const withoutList = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

test.use({ expected: /status of 40[13]/ })

test('a passkey is added, used, removed and then refused', async ({ page, context, member }) => {
  const account = await member()
  await withPasskeys(page)
  await page.goto('/profile?settings=sign-in')
  const passkeys = page.getByRole('region', { name: 'Passkeys', exact: true })
  await expect(passkeys.getByText('You have no passkeys yet.')).toBeVisible()
  await passkeys.getByRole('textbox', { name: 'Name of the new passkey' }).fill('My laptop')
  await passkeys.getByRole('button', { name: 'Add passkey' }).click()
  await expectToast(page, 'Success', 'Passkey added')
  await expect(passkeys.getByRole('listitem')).toContainText(/My laptop.*not used yet/)

  // The same device does not need a second one.
  await passkeys.getByRole('button', { name: 'Add passkey' }).click()
  await expectToast(page, 'Error', 'This device already has a passkey for your account.')

  await account.letSignInAge()
  const password = page.getByRole('region', { name: 'Password', exact: true })
  await password.getByRole('textbox', { name: 'New password' }).fill('a quiet harbour at dawn')
  await password.getByRole('button', { name: 'Change password' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await question.getByRole('button', { name: 'Use a passkey' }).click()
  await expectToast(page, 'Success', 'Password saved')
  await expect(passkeys.getByRole('listitem')).toContainText('last used')

  const login = '/api/login?returnTo=%2Fprofile%3Fsettings%3Dsign-in'
  await loseSession(page)
  await withoutList(page)
  await page.goto(login)
  await passkeyButton(page).click()
  await expect(page).toHaveURL('/profile?settings=sign-in')

  await passkeys.getByRole('button', { name: 'Remove My laptop' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove this passkey?' })
  await removal.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(passkeys.getByText('You have no passkeys yet.')).toBeVisible()
  await context.clearCookies()
  await page.goto(login)
  await passkeyButton(page).click()
  const wanted = 'We don’t know this passkey. Log in another way.'
  await expect(page.getByRole('alert')).toHaveText(wanted)
})

test('a user without a passkey is told, and later chooses one', async ({ page, member }) => {
  await withPasskeys(page)
  await page.goto('/api/login')
  await passkeyButton(page).click()
  await expect(page.getByRole('alert')).toHaveText(
    'No passkey was used. Try again, or log in another way.',
  )
  await expect(passkeyButton(page)).toBeEnabled()

  await member()
  await page.goto('/profile?settings=sign-in')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expectToast(page, 'Success', 'Passkey added')
  await loseSession(page)
  // The list is the browser's own: its virtual authenticator chooses at once.
  await page.goto('/api/login')
  await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
})
