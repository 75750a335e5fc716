import type { Locator, Page } from '@playwright/test'
import { unzipSync } from 'fflate'
import { DAY_MS } from '../../src/contract/time.ts'
import { appCode } from '../support/authenticator-app.ts'
import { decodePicture } from '../support/decode.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { mailsTo } from '../support/outbox.ts'
import type { Account } from './account.ts'
import { changeAnswer } from './changed-answers.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { closeToasts, dayText, expectToast, loseSession, signIn, toasts } from './screens.ts'
import { mailedLink } from './smtp.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const passwordIn = (scope: Page | Locator) => scope.getByRole('textbox', { name: 'Password' })

/** The pressed button is gone: the focus stays near it, not at the top of the page. */
const expectFocusKept = (page: Page) => expect(page.locator(':focus')).toHaveCount(1)

const open = (page: Page, section: string) => page.goto(`/profile?settings=${section}`)

/** Signs in by the API, as another browser would. Returns the answer's status. */
async function signInElsewhere(page: Page, { email }: Account, password = PASSWORD) {
  const request = await page.context().browser()?.newContext()
  const origin = new URL(page.url()).origin
  const answer = await request?.request.post(`${origin}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin, 'user-agent': FIREFOX },
  })
  return answer?.status()
}

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function expectPicture(page: Page) {
  const picture = part(page, 'Picture')
  const file = page.locator('input[type=file]')
  await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
  await expect(picture.getByRole('alert')).toHaveText('Use a PNG, JPG, or WebP file.')

  await file.setInputFiles('public/icon-192.png')
  await expect(picture.getByRole('img', { name: 'The picture you chose' })).toBeVisible()
  await expect(page.getByRole('banner').locator('img')).toHaveCount(0)
  await picture.getByRole('button', { name: 'Save picture' }).click()
  await expectToast(page, 'Success', 'Picture saved')
  const shown = page.getByRole('banner').locator('img')
  await expect(shown).toHaveAttribute('src', /^\/api\/account\/picture\?v=/)
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(256)

  await picture.getByRole('button', { name: 'Remove picture' }).click()
  await expectToast(page, 'Success', 'Picture removed')
  await expect(shown).toHaveCount(0)
}

test.describe('a change of the e-mail address', () => {
  // Without a session the server asks for the password.
  test.use({ expected: /status of 403/ })

  test('waits for both, and can be undone', { tag: '@soak' }, async ({ page, member, server }) => {
    const { email } = await member()
    await open(page, 'you')
    const address = part(page, 'Email address')
    await expect(address.getByText('Confirmed')).toBeVisible()
    await address.getByRole('textbox', { name: 'New email address' }).fill(`new-${email}`)
    await address.getByRole('button', { name: 'Change email address' }).click()
    const pending = part(page, `Your address will change to new-${email}`)
    await expect(pending).toContainText(`Until then, you keep ${email}.`)

    await loseSession(page)
    await page.goto(await mailedLink(() => mailsTo(server, `new-${email}`), `new-${email}`))
    await page.getByRole('button', { name: 'Confirm new address' }).click()
    await passwordIn(page).fill(PASSWORD)
    await page.getByRole('button', { name: 'Confirm address' }).click()
    const done = page.getByRole('heading', { name: 'Your new address is confirmed' })
    await expect(done).toBeFocused()

    await open(page, 'you')
    await pending.getByRole('button', { name: 'Cancel change' }).click()
    await expect(pending).toHaveCount(0)
    await expect(address.getByText(email, { exact: true })).toBeVisible()
  })
})

test.describe('with a sign-in that was a while ago', () => {
  test.use({ expected: /status of (401|403|422)/ })

  test('a new password needs the old one and ends other sessions', { tag: '@soak' }, async ({
    page,
    member,
  }) => {
    const account = await member()
    await open(page, 'sign-in')
    await account.letSignInAge()
    await signInElsewhere(page, account)
    const password = part(page, 'Password')
    const field = password.getByRole('textbox', { name: 'New password' })
    await field.fill('password123')
    await password.getByRole('button', { name: 'Change password' }).click()
    await expect(field).toHaveAccessibleDescription(/very common password/)
    await expect(field).toBeFocused()

    await field.fill('a quiet harbour at dawn')
    await password.getByRole('button', { name: 'Change password' }).click()
    const question = dialog(page, 'Confirm it’s you')
    await passwordIn(question).fill('a wrong one')
    await question.getByRole('button', { name: 'Continue' }).click()
    await expect(question.getByText('Wrong password.')).toBeVisible()
    await passwordIn(question).fill(PASSWORD)
    await question.getByRole('button', { name: 'Continue' }).click()
    await expectToast(page, 'Success', 'Password saved')
    await expect(question).toBeHidden()
    await expect(field).toHaveValue('')

    expect(await signInElsewhere(page, account)).toBe(401)
    expect(await signInElsewhere(page, account, 'a quiet harbour at dawn')).toBe(200)
  })
})

test.describe('the second step', () => {
  test.use({
    expected: /status of 40[13]/,
    permissions: ['clipboard-read', 'clipboard-write'],
  })

  test('is set up, asked for, and turned off', { tag: '@soak' }, async ({ page, member }) => {
    const account = await member()
    const signInAgain = async () => {
      await loseSession(page)
      await page.goto('/api/login?returnTo=%2Fprofile%3Fsettings%3Dsign-in')
      await signIn(page, account.email)
    }
    await open(page, 'sign-in')
    const step = part(page, 'Two-step verification')
    await step.getByRole('button', { name: 'Set up two-step verification' }).click()
    await step.getByRole('button', { name: 'Cancel' }).click()
    await expect(step).toBeFocused()
    await step.getByRole('button', { name: 'Set up two-step verification' }).click()
    const picture = step.getByRole('img', { name: 'QR code with the key for your app' })
    await expect(picture).toBeVisible()
    const uri = new URL((await decodePicture(await picture.screenshot())) ?? '')
    const secret = uri.searchParams.get('secret') ?? ''
    expect(uri.href).toMatch(/^otpauth:\/\/totp\/Tessera:/)
    await step.getByRole('button', { name: 'Copy key' }).click()
    await expectToast(page, 'Success', 'Copied to clipboard')
    await closeToasts(page)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret)

    const code = step.getByRole('textbox', { name: 'Code from the app' })
    await code.fill(`${(Number(appCode(secret, new Date())) + 1) % 1_000_000}`.padStart(6, '0'))
    await step.getByRole('button', { name: 'Turn on' }).click()
    await expect(code).toHaveAccessibleDescription('That code is wrong. Try the newest one.')
    const used = appCode(secret, new Date())
    await code.fill(used.replace(/(?<=^...)/, ' '))
    await step.getByRole('button', { name: 'Turn on' }).click()

    const codes = dialog(page, 'Your recovery codes')
    await expect(codes.getByRole('listitem')).toHaveCount(10)
    const shown = await codes.getByRole('listitem').allInnerTexts()
    const download = codes.getByRole('button', { name: 'Download codes' })
    const file = (await savedBy(page, () => download.click())).toString()
    expect(file).toContain(account.email)
    for (const one of shown) expect(file).toContain(one)
    await codes.getByRole('button', { name: 'I’ve saved them' }).click()
    await expect(step.getByText('On. 10 recovery codes left.')).toBeVisible()
    await expectFocusKept(page)

    await test.step('a sign-in takes each code of the app once', async () => {
      await signInAgain()
      const field = page.getByRole('textbox', { name: 'Code', exact: true })
      await expect(field).toBeFocused()
      await expect(field).toHaveAttribute('autocomplete', 'one-time-code')
      await expect(field).toHaveAttribute('inputmode', 'numeric')
      await field.fill(used)
      await page.keyboard.press('Enter')
      await expect(field).toHaveAccessibleDescription('That code is wrong. Try the newest one.')
      await expect(field).toBeFocused()
      await page.reload()
      await field.fill(appCode(secret, new Date(Date.now() + 30_000)))
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL('/profile?settings=sign-in')
    })
    await test.step('or a recovery code', async () => {
      await signInAgain()
      await page.getByRole('button', { name: 'Use a recovery code' }).click()
      const field = page.getByRole('textbox', { name: 'Recovery code' })
      await expect(field).toBeFocused()
      await field.fill(shown[0]?.toUpperCase() ?? '')
      await page.keyboard.press('Enter')
      await expect(step.getByText('On. 9 recovery codes left.')).toBeVisible()
    })

    await step.getByRole('button', { name: 'New recovery codes' }).click()
    await page.getByRole('button', { name: 'Create new codes' }).click()
    const others = await codes.getByRole('listitem').allInnerTexts()
    expect(others.filter((one) => shown.includes(one))).toEqual([])
    await codes.getByRole('button', { name: 'I’ve saved them' }).click()

    await step.getByRole('button', { name: 'Turn off' }).click()
    const question = dialog(page, 'Turn off two-step verification?')
    await question.getByRole('button', { name: 'Turn off' }).click()
    await expect(step.getByText('Off', { exact: true })).toBeVisible()

    await test.step('without a password before, the sign-in begins again', async () => {
      await loseSession(page)
      await page.goto('/api/login?step=code')
      await page.getByRole('textbox', { name: 'Code', exact: true }).fill('123456')
      await page.keyboard.press('Enter')
      const expired = 'This login has expired. Please start again.'
      await expect(page.getByRole('alert')).toHaveText(expired)
      await expect(page).toHaveURL('/api/login')
    })
  })
})

test.describe('from a link in a mail', () => {
  test.use({ expected: /status of 401/ })

  test('a user ends sessions', { tag: '@soak' }, async ({ page, context, member }) => {
    const account = await member()
    await context.clearCookies()
    await open(page, 'sessions')
    await page.getByRole('link', { name: 'Log In' }).click()
    await signIn(page, account.email)
    await expect(page).toHaveURL('/profile?settings=sessions')
    await signInElsewhere(page, account)
    await page.reload()
    const rows = part(page, 'Sessions').getByRole('listitem')
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText('This browser')
    await expect(rows.first().getByRole('button')).toHaveCount(0)
    await expect(rows.nth(1)).toContainText('Firefox on Windows')
    await expect(rows.nth(1)).toContainText(/From 127\.0\.0\.x|From 0::/)

    await rows.nth(1).getByRole('button', { name: 'End session: Firefox on Windows' }).click()
    await expect(rows).toHaveCount(2)
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    const question = dialog(page, 'Log out everywhere?')
    await question.getByRole('button', { name: 'Log out everywhere' }).click()
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('This browser')

    await page.getByRole('link', { name: 'Security log' }).click()
    const history = part(page, 'Security log').getByRole('listitem')
    await expect(history.first()).toContainText('Logged out everywhere')
    await expect(history.nth(1)).toContainText('Session ended')
  })
})

test.describe('in Kolkata', { tag: '@soak' }, () => {
  // The pages of codes that do not work.
  test.use({ timezoneId: 'Asia/Kolkata', expected: /status of (404|410)/ })

  test('a new user proves the address and sets all', async ({ page, member, server }) => {
    const account = await member({ isNew: true })
    const { email } = account
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postDataJSON())
    })
    await page.goto('/dashboard', { waitUntil: 'networkidle' })
    await page.goto('/profile', { waitUntil: 'networkidle' })
    expect(sent).toEqual([{ timeZone: expect.stringMatching(/^Asia\/(Kolkata|Calcutta)$/) }])
    const note = part(page, 'Confirm your email address')
    await test.step('no screen asks for it, nor speaks to the operator, where no mail is sent', async () => {
      for (const path of ['/dashboard', '/profile', '/profile?settings=you']) {
        await page.goto(path, { waitUntil: 'networkidle' })
        await expect(note).toHaveCount(0)
        await expect(page.locator('body')).not.toContainText(/operator|outbox|mail server/i)
      }
    })
    await changeAnswer(page, '/api/config', { mail: 'smtp' })
    await page.goto('/dashboard')
    await note.getByRole('button', { name: 'Send link again' }).click()
    await expectToast(
      page,
      'Success',
      `We emailed a link to ${email}. Not there? Check your spam folder.`,
    )
    await note.getByRole('button', { name: 'Not now' }).click()
    await expect(note).toHaveCount(0)
    await page.goto(await mailedLink(() => mailsTo(server, email), email))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    const proved = page.getByRole('heading', { name: 'Your address is confirmed' })
    await expect(proved).toBeFocused()
    await page.getByRole('link', { name: 'Continue' }).click()
    await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
    await expect(note).toHaveCount(0)
    await open(page, 'you')
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await expect(zone).toHaveValue('Asia/Kolkata (UTC+5:30)')
    await zone.fill('kathm')
    await expect(page.getByRole('option')).toHaveText(['Asia/Kathmandu (UTC+5:45)'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectToast(page, 'Success', 'Time zone saved')
    await expect(page.getByRole('button', { name: 'Use Asia/Kolkata (UTC+5:30)' })).toBeVisible()

    await test.step('what is entered for visitors stands on a paused code, and only there', async () => {
      const shown = part(page, 'Shown on paused and expired codes')
      await shown.getByRole('textbox', { name: 'Name to show' }).fill('Café Luna')
      await shown.getByRole('textbox', { name: 'Contact to show' }).fill('https://evil.example')
      await shown.getByRole('button', { name: 'Save contact' }).click()
      await expect(shown.getByText('Links can’t be shown here')).toBeVisible()
      await shown.getByRole('textbox', { name: 'Contact to show' }).fill('hello@luna.example')
      await shown.getByRole('button', { name: 'Save contact' }).click()
      await expectToast(page, 'Success', 'Contact saved')
      const { shortCode } = await account.code({ isActive: false })
      await page.goto(`/qr/${shortCode}`)
      await expect(page.getByText('Café Luna')).toBeVisible()
      await page.goto('/qr/unknown-code')
      await expect(page.getByText('Café Luna')).toHaveCount(0)
    })

    await page.goto('/profile')
    await page.getByRole('link', { name: 'Account settings' }).click()
    await expect(page).toHaveURL('/profile?settings=you')
    await expect(page).toHaveTitle('You – Account settings – Tessera')
    const name = part(page, 'Name')
    await expect(name.getByRole('textbox', { name: 'First name' })).toHaveValue('Ada')
    await expect(zone).toHaveValue('Asia/Kathmandu (UTC+5:45)')
    await name.getByRole('textbox', { name: 'First name' }).fill('Augusta')
    await name.getByRole('textbox', { name: 'Last name' }).fill('King')
    await name.getByRole('button', { name: 'Save name' }).click()
    await expectToast(page, 'Success', 'Name saved')
    await expect(page.getByRole('banner')).toContainText('Augusta')

    await test.step('a picture is looked at before it is saved, stands in the header, and goes again', () =>
      expectPicture(page))

    await page.getByRole('link', { name: 'Back to Profile' }).click()
    await expect(page.getByRole('heading', { name: 'Augusta King' })).toBeVisible()
  })
})

test.describe('the parts', () => {
  test.use({ expected: /status of 403/ })

  test('keep their settings, export links, and delete the account', async ({ page, member }) => {
    const account = await member({ tier: 'starter' })
    const { shortCode } = await account.code({ name: 'Poster' })
    await open(page, 'you')
    const nav = page.getByRole('navigation', { name: 'Account settings' })
    const leave = page.getByRole('button', { name: 'Delete account' })
    await test.step('Back and a reload lead to the same one', async () => {
      for (const name of ['Security log', 'Export and delete']) {
        await nav.getByRole('link', { name }).click()
        await expect(nav.getByRole('link', { name })).toHaveAttribute('aria-current', 'page')
      }
      await expect(page).toHaveURL('/profile?settings=leave')
      await page.reload()
      await expect(leave).toBeVisible()
      await page.goBack()
      await expect(part(page, 'Security log')).toBeVisible()
    })
    await test.step('a notice that is switched off stays off', async () => {
      await nav.getByRole('link', { name: 'Notifications' }).click()
      const ends = page.getByRole('switch', { name: 'A QR code expires soon' })
      await expect(ends).toBeChecked()
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH')
      await ends.click()
      await expect(ends).not.toBeChecked()
      await saved
      await page.reload()
      await expect(ends).not.toBeChecked()
      await expect(page.getByRole('switch', { name: 'Your plan ends' })).toBeChecked()
    })
    await test.step('the links are exported', async () => {
      await nav.getByRole('link', { name: 'Export and delete' }).click()
      const take = page.getByRole('button', { name: 'Download my links' })
      const files = unzipSync(await savedBy(page, () => take.click()))
      expect(new TextDecoder().decode(files['links.csv'])).toContain(`/qr/${shortCode}`)
      await expect(take).toBeVisible()
      await closeToasts(page)
    })
    const question = dialog(page, 'Delete your account?')
    const proof = dialog(page, 'Confirm it’s you')
    await test.step('closing the question for the password changes nothing', async () => {
      await account.letSignInAge()
      await leave.click()
      await expect(question).toContainText('Your QR codes keep working for 30 days')
      await expect(question).toContainText('Your Starter plan won’t renew.')
      await expect(question).toContainText('you can restore everything')
      await question.getByRole('button', { name: 'Delete account' }).click()
      await expect(proof).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(proof).toBeHidden()
      await expect(leave).toBeEnabled()
      await expect(toasts(page)).toHaveCount(0)
      await expect(page.getByText('This account will be deleted')).toHaveCount(0)
    })
    await test.step('a deleted account leads on for 30 days, says so, and is restored', async () => {
      await leave.click()
      await question.getByRole('button', { name: 'Delete account' }).click()
      await passwordIn(proof).fill(PASSWORD)
      await proof.getByRole('button', { name: 'Continue' }).click()
      const heading = page.getByRole('heading', { name: /^This account will be deleted on/ })
      await expect(heading).toBeVisible()
      const { deletionAt } = await (await page.request.get('/api/account')).json()
      const title = `This account will be deleted on ${dayText(Date.parse(deletionAt))}`
      await expect(heading).toHaveText(title)
      expect(Math.round((Date.parse(deletionAt) - Date.now()) / DAY_MS)).toBe(30)
      await expectFocusKept(page)
      const hit = await page.request.get(`/qr/${shortCode}`, { maxRedirects: 0 })
      expect(hit.status()).toBe(302)

      await page.goto('/dashboard')
      await expect(part(page, title)).toBeVisible()
      await part(page, title).getByRole('button', { name: 'Delete as planned' }).click()
      await expectFocusKept(page)
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeVisible()
      await expect(part(page, title)).toHaveCount(0)

      await open(page, 'leave')
      await page.getByRole('button', { name: 'Restore account' }).click()
      await expectToast(page, 'Success', 'Account restored')
      await expect(leave).toBeVisible()
    })
  })
})
