import type { Page } from '@playwright/test'
import type { Tier } from '../../src/contract/billing/plans.ts'
import { appCode } from '../support/authenticator-app.ts'
import { ConnectingApp } from '../support/connecting-app.ts'
import { photoOf } from '../support/photos.ts'
import type { Account } from './account.ts'
import { changeAnswer, refuse } from './changed-answers.ts'
import { giveFile } from './files.ts'
import { expect } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { invoices, openPayment, PAYMENT_STEP } from './payments.ts'
import { scan } from './scan.ts'
import {
  choose,
  creating,
  expectToast,
  fillIn,
  goToCode,
  goToNewCode,
  moreOf,
  openCode,
  openNewCode,
  ready,
  row,
} from './screens.ts'
import { buyPlan, chooseCard, choosePlan, DECLINED, openPortal } from './test-card.ts'

type Member = (options?: { tier?: Tier; name?: string; isNew?: boolean }) => Promise<Account>

/** Goes from screen to screen and yields the name of each one that is open. */
type Walk = (page: Page, member: Member) => AsyncGenerator<string>

const DAY_AGO = () => new Date(Date.now() - 86_400_000)
const LONG = `Menu ${'w'.repeat(60)} for the summer, with everything that a long name can do`
const LONG_EMAIL = `${'long-'.repeat(12)}name@${'example-'.repeat(7)}ltd.com`
const LONG_URL = `https://example.com/${'a-long-path/'.repeat(12)}`

/** Where no part of a form is folded */
const DESK = { width: 1440, height: 900 }

const heading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { name, exact: true })).toBeVisible()

/** Opens an address and waits for its heading. */
async function visit(page: Page, path: string, title: string): Promise<void> {
  await page.goto(path)
  await heading(page, title)
}

/** Opens an address and waits for a text. */
async function read(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByText(text).first()).toBeVisible()
}

/** Makes what a user of the API can make. */
async function make(page: Page, path: string, data: object): Promise<void> {
  expect((await page.request.post(path, { data })).status()).toBe(201)
}

/** Every screen there is, with what makes it long, full or wrong. */
export const walks: Record<string, Walk> = {
  async *'the landing page'(page) {
    await page.goto('/')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    yield 'the landing page'

    await page.getByRole('textbox').fill('https://example.com/menu')
    await page.getByRole('radio', { name: 'Dark' }).check()
    await expect(page.getByText('May not scan')).toBeVisible()
    yield 'the landing page with a code that may not scan'

    await page.getByRole('textbox').fill('the menu')
    await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
    yield 'the landing page with a text that is not a link'
  },

  async *'the other pages of a visitor'(page) {
    await page.goto('/api/login')
    await page.getByRole('link', { name: 'Sign up' }).waitFor()
    yield 'the sign-in page'

    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByText('Name is required')).toBeVisible()
    yield 'the sign-up page with mistakes'

    await visit(page, '/nowhere', '404 Page Not Found')
    yield 'the 404 page'

    await visit(page, '/profile', 'Please log in')
    yield 'the profile, signed out'

    await visit(page, '/api/help', 'Help Center')
    yield 'the Help Center'

    await page.goto('/api/status')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    yield 'the status page'
  },

  async *'the ways into an account'(page) {
    await changeAnswer(page, '/api/config', { mail: 'smtp', provider: 'Example Ltd' })
    await page.goto('/api/login')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('Password is required')).toBeVisible()
    yield 'the sign-in page with all ways in, and mistakes'

    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('textbox').fill(LONG_EMAIL)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await heading(page, 'Check your email')
    yield 'the page that says where a mail went'

    await page.goto('/api/login?step=code')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('Enter the code', { exact: true })).toBeVisible()
    yield 'the second step with a mistake'

    await visit(page, '/api/login?link=approve-email#a-secret', 'Change your address?')
    yield 'the page of a mailed link'

    await refuse(page, '/api/auth/verify-email', 403, 'password_needed')
    await page.goto('/api/login?link=verify-email#a-secret')
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await expect(page.getByText('Password is required')).toBeVisible()
    yield 'the proof of an address with a mistake'

    await refuse(page, '/api/auth/change-email/prove', 403, 'sign_in_first')
    await page.goto('/api/login?link=prove-email#a-secret')
    await page.getByRole('button', { name: 'Confirm new address' }).click()
    await heading(page, 'Log in first')
    yield 'the proof of a new address that needs a sign-in first'

    await page.goto('/api/login?link=sign-in#a-secret')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await heading(page, 'This link no longer works')
    yield 'a mailed link that is over'
  },

  async *'the pages of a link'(page, member) {
    await visit(page, '/qr/nothing', 'Code not found')
    yield 'a link that is of no code'

    const owner = await member()
    const paused = await owner.code({ isActive: false })
    await visit(page, `/qr/${paused.shortCode}`, 'This code is paused')
    yield 'a code that is paused'

    const expired = await owner.code()
    await owner.expire(expired.id, DAY_AGO())
    await visit(page, `/qr/${expired.shortCode}`, 'This code has expired')
    yield 'a code that has expired'

    const { shortCode } = await owner.code({ url: LONG_URL })
    await visit(page, `/qr/${shortCode}+`, 'Where this code leads')
    yield 'the page that says where a code leads'
  },

  async *'the dashboard without codes, and what cannot be loaded'(page, member) {
    const owner = await member()
    await visit(page, '/dashboard', 'No QR codes yet')
    yield 'the empty dashboard'

    const dialog = await openNewCode(page)
    await dialog.getByRole('button', { name: 'Save QR Code' }).click()
    await expect(dialog.getByText('Must be a valid URL')).toBeVisible()
    yield 'the dialog of a new code with mistakes'

    const held = await HeldAnswers.hold(page, /api\/(qr-codes|analytics|user)/)
    await visit(page, '/dashboard', 'QR Code Dashboard')
    await expect(page.getByRole('main').getByRole('status')).toBeVisible()
    yield 'the dashboard while it loads'

    await held.release(/./)
    await page.unrouteAll({ behavior: 'wait' })
    await refuse(page, '/api/qr-codes', 404)
    await read(page, '/dashboard', 'Your QR codes couldn’t be loaded')
    yield 'the dashboard whose codes cannot be read'

    await page.unrouteAll({ behavior: 'wait' })
    await owner.code()
    await page.route(/scans-chart-/, (route) => route.abort())
    await page.route(/daily-breakdown/, (route) =>
      route.fulfill({ json: [{ date: '2026-11-01', count: 1 }] }),
    )
    await read(page, '/dashboard', 'The chart couldn’t be shown')
    yield 'the dashboard with a panel that is gone'

    await page.route(/profile-page-/, (route) => route.abort())
    await read(page, '/profile', 'This page couldn’t be shown')
    yield 'a page that is gone'
  },

  async *'the dashboard with codes'(page, member) {
    await page.addInitScript(keepToasts)
    const owner = await withCodes(page, member)
    yield 'the dashboard with codes'

    await page.getByRole('checkbox', { name: 'Select Poster' }).check()
    await page.getByRole('checkbox', { name: 'Select Flyer' }).check()
    yield 'the dashboard with codes selected'

    await page.getByRole('button', { name: 'Apply a design' }).click()
    await expect(page.getByRole('dialog').getByText('No designs yet')).toBeVisible()
    yield 'the styles for codes of an account that has none'

    await page.goto('/dashboard')
    await choose(page, 'Poster', 'Pause')
    await expectToast(page, 'Success', 'QR code paused', 'Undo')
    yield 'the dashboard with a toast'

    // The toast may lie over the menu.
    await page.goto('/dashboard')
    await choose(page, LONG, 'Delete')
    await expect(page.getByRole('dialog')).toBeVisible()
    yield 'the question before a delete'

    await page.goto('/dashboard')
    await expect(row(page, 'Poster')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    yield 'the keyboard shortcuts'

    for (const code of await page.request.get('/api/qr-codes').then((r) => r.json())) {
      await page.request.delete(`/api/qr-codes/${code.id}`)
    }
    const { name } = await owner.code()
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Trash', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Restore Poster' })).toBeVisible()
    yield 'the trash'

    await page.goto('/dashboard')
    await moreOf(page, name).click()
    await expect(page.getByRole('menu', { name: `More for ${name}` })).toBeVisible()
    yield 'the menu of a code'
  },

  async *'the dialog of a code'(page, member) {
    await withCodes(page, member)
    await page.getByRole('button', { name: 'Create New QR Code' }).click()
    await expect(
      page.getByRole('dialog').getByRole('link', { name: 'See the plans' }),
    ).toBeVisible()
    yield 'the dialog of a refused code'

    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.setViewportSize(DESK)
    const long = await openCode(page, LONG)
    await expect(long.getByText('No analytics data available yet')).toBeVisible()
    yield 'the dialog of a code with a long name'

    await page.keyboard.press('Escape')
    const dialog = await openCode(page, 'Poster')
    await expect(dialog.getByRole('status')).toContainText('Scans: ')
    await HeldAnswers.hold(page, /legibility/)
    await dialog.getByRole('radio', { name: 'Rounded' }).click()
    await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'true')
    yield 'the dialog of a code whose new look is being checked'
  },

  async *'the dialog of a code on a paid plan'(page, member) {
    const owner = await member({ tier: 'professional' })
    const { id } = await owner.code({ name: 'Poster' })
    await owner.code({ name: 'Flyer', foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
    await owner.allChecked()
    await goToCode(page, 'Poster')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Custom URL (Optional)').fill('w'.repeat(50))
    await expect(dialog.getByText('Save first')).toBeVisible()
    yield 'the dialog of a code with a new custom URL'

    for (const name of ['Brand', LONG.slice(0, 60)]) {
      const look = { style: 'rounded', foregroundColor: '#1e40af', backgroundColor: '#f0f9ff' }
      await make(page, '/api/looks', { name, look, isDefault: true })
    }
    await goToCode(page, 'Poster')
    await dialog.getByRole('button', { name: 'Save this design' }).click()
    await dialog.getByRole('button', { name: 'Save design' }).click()
    await expect(dialog.getByText('Name is required')).toBeVisible()
    yield 'the dialog with styles of one’s own, and a mistake in the name of another'

    await page.goto('/dashboard')
    await page.getByRole('checkbox', { name: 'Select Poster' }).check()
    await page.getByRole('button', { name: 'Print labels' }).click()
    await dialog.getByText('Custom size', { exact: true }).click()
    await dialog.getByText('Other', { exact: true }).click()
    await dialog.getByText('A list', { exact: true }).click()
    await dialog.getByLabel('One line per QR code').fill(LONG_URL)
    await dialog.getByLabel('Label height').fill('0.5')
    await expect(dialog.getByText('They need 0.39 in to scan')).toBeVisible()
    yield 'labels of one’s own size, which are too small'

    for (const name of ['Spring', 'W'.repeat(40)]) await make(page, '/api/tags', { name })
    await page.goto('/dashboard')
    await page.getByRole('checkbox', { name: 'Select Poster' }).check()
    const actions = page.getByRole('button', { name: 'Actions', exact: true })
    const isNarrow = await actions.isVisible()
    if (isNarrow) await actions.click()
    await page.getByRole(isNarrow ? 'menuitem' : 'button', { name: 'Change tags' }).click()
    await dialog.getByRole('checkbox').first().check()
    yield 'the tags for the codes selected'

    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Tags', exact: true }).click()
    await dialog.getByRole('button', { name: 'Change tag Spring' }).click()
    yield 'the tags, one of them being changed'

    await page.setViewportSize(DESK)
    await goToCode(page, 'Poster')
    await dialog.getByRole('combobox', { name: 'Tags' }).fill(`${'W'.repeat(40)},`)
    await dialog.getByRole('button', { name: 'Campaign parameters' }).click()
    await expect(dialog.getByLabel('Source')).toBeVisible()
    yield 'the dialog of a code with a tag and its campaign'

    await page.goto(`/dashboard?ready=${id}`)
    await expect(dialog.getByText('Scans: excellent')).toBeVisible()
    await dialog.getByRole('button', { name: 'Scan it now' }).click()
    await expect(dialog.getByText('Waiting for a scan.')).toBeVisible()
    yield 'a code that is ready to print, and waits for a scan'

    await page.goto('/dashboard')
    await expect(row(page, 'Flyer')).toContainText('May not scan')
    await openCode(page, 'Flyer')
    await dialog.getByRole('button', { name: 'Printing options' }).click()
    await dialog.getByRole('radio', { name: 'High (30%)' }).click()
    await dialog.getByRole('textbox', { name: 'Print size' }).fill('0.2')
    await expect(dialog.getByRole('status')).toContainText('May not scan')
    await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'false')
    await expect(dialog.getByText('modules wide').first()).toBeVisible()
    yield 'the dialog with the printing options of a code that may not scan'
  },

  async *'the rules and the history of a code'(page, member) {
    const owner = await member({ tier: 'professional' })
    const url = LONG_URL
    const half = { url, share: 50 }
    const rules = [
      {
        countries: ['PL', 'DE'],
        hours: { from: '22:00', until: '06:00' },
        variants: [half, half],
      },
      { variants: [{ url, share: 100 }] },
      { languages: ['pl'], dates: { until: '2025-01-01' }, variants: [{ url, share: 100 }] },
    ]
    const { id } = await owner.code({ name: LONG, url, rules, scanLimit: 1_000 })
    await read(page, `/dashboard?rules=${id}`, 'this one is never used')
    const dialog = page.getByRole('dialog', { name: 'Rules and limits' })
    await dialog.getByRole('button', { name: 'Try it' }).click()
    await dialog.getByRole('button', { name: 'Where does it lead?' }).click()
    await expect(dialog.getByRole('status').filter({ hasText: 'by rule' })).toBeVisible()
    yield 'the rules of a code'

    await dialog.getByRole('button', { name: 'A country', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog.getByText('Choose at least one')).toBeVisible()
    yield 'the rules of a code with mistakes'

    await page.goto('/dashboard')
    await read(page, `/dashboard?history=${id}`, 'No changes yet')
    yield 'the history of a code without changes'

    await page.request.patch(`/api/qr-codes/${id}`, {
      data: { url: 'https://example.com/', rules: [] },
    })
    await page.goto('/dashboard')
    await read(page, `/dashboard?history=${id}`, 'Before the first change')
    yield 'the history of a code'
  },

  async *'the check of a print'(page, member) {
    const owner = await member()
    const { id } = await owner.code({ name: LONG.slice(0, 90), url: LONG_URL })
    const picture = await (await page.request.get(`/api/qr-codes/${id}/generate?size=600`)).body()
    await changeAnswer(page, '/api/config', { hostUrl: 'https://codes.example.com' })
    await page.goto(`/dashboard?print=${id}`)
    const dialog = page.getByRole('dialog', { name: 'Check a print' })
    await expect(dialog.getByRole('img', { name: 'QR code of this page' })).toBeVisible()
    yield 'the check of a print, with the way to a phone'

    const give = async (buffer: Buffer) => {
      const button = dialog.getByRole('button', { name: 'Choose a photo' })
      await giveFile(page, button, { name: 'photo.jpg', mimeType: 'image/jpeg', buffer })
    }
    await give(await photoOf(picture))
    await expect(dialog.getByRole('status')).toContainText('This code leads somewhere else')
    yield 'a print that leads somewhere else'

    await page.unroute('/api/config')
    await page.goto(`/dashboard?print=${id}`)
    await give(await photoOf(picture))
    await expect(dialog.getByRole('status')).toContainText('The print scans')
    // Once it is kept
    await expect(dialog.getByRole('heading', { name: 'Earlier checks' })).toBeVisible()
    yield 'a print that reads'

    // On a phone it is behind a heading.
    await page.setViewportSize({ width: 1440, height: 900 })
    await read(page, `/dashboard?edit=${id}`, 'Print checked on')
    yield 'the dialog of a code whose print was checked'
  },

  async *'the shapes, the logo and the frame of a code'(page, member) {
    const owner = await member({ tier: 'starter' })
    await owner.code({ name: 'Poster', ecc: 'L' })
    const dialog = await goToCode(page, 'Poster')
    const open = (name: string) =>
      dialog.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await open('More shapes')
    await dialog.getByRole('radio', { name: 'Dots' }).click()
    await dialog.getByText('Linear', { exact: true }).click()
    await dialog.getByRole('textbox', { name: 'Second color', exact: true }).fill('#12')
    await dialog.getByRole('switch', { name: 'Transparent background' }).click()
    await expect(dialog.getByText('Must be a hex colour')).toBeVisible()
    yield 'the dialog with more shapes, and half a colour'

    await dialog.getByRole('textbox', { name: 'Second color', exact: true }).fill('#1e40af')
    await open('More shapes')
    await open('Logo')
    const logo =
      '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><path d="M0 0h90v90z"/></svg>'
    await giveFile(page, dialog.getByRole('button', { name: 'Upload a logo' }), {
      name: `${LONG}.svg`,
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(logo),
    })
    await expect(dialog.getByText('Error correction is now')).toBeVisible()
    await expect(dialog.getByRole('slider', { name: 'Logo size' })).toBeVisible()
    yield 'the dialog with a logo'

    await open('Logo')
    await open('Frame')
    await dialog.getByRole('radio', { name: 'Ticket' }).click()
    await dialog.getByRole('textbox', { name: 'Text', exact: true }).fill('Scan 😀')
    await expect(dialog.getByText('can’t be drawn here')).toBeVisible()
    yield 'the dialog with a frame whose text cannot be drawn'

    const free = await member()
    await free.code({ name: 'Flyer' })
    await goToCode(page, 'Flyer')
    await open('Frame')
    await dialog.getByRole('radio', { name: 'Bubble' }).click()
    await dialog.getByRole('button', { name: 'Save QR Code' }).click()
    await expect(dialog.getByText('hasn’t been saved yet')).toBeVisible()
    yield 'the dialog of a plan without shapes, logos and frames'
  },

  async *'what is made, and what has changed'(page, member) {
    const owner = await member({ tier: 'unlimited' })
    const dialog = page.getByRole('dialog')
    const save = dialog.getByRole('button', { name: 'Save QR Code' })
    await goToNewCode(page)
    await fillIn(dialog, LONG, LONG_URL)
    await save.click()
    await expect(ready(page).getByRole('button', { name: 'Download PNG' })).toBeVisible()
    await expect(creating(page)).toBeHidden()
    yield 'a code that is ready'

    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Create a series' }).click()
    await dialog.getByLabel('Name').fill('Table {n}')
    await dialog.getByLabel('Destination').fill('cafe.example/menu?table={n}')
    await expect(dialog.getByRole('listitem')).toHaveCount(20)
    yield 'the dialog of a series'

    await dialog.getByRole('button', { name: 'Create 20 QR codes' }).click()
    await expect(dialog.getByRole('button', { name: 'Labels (PDF)' })).toBeVisible()
    yield 'a series that is ready'

    const { id } = await owner.code({ name: 'Poster' })
    await goToCode(page, 'Poster')
    await dialog.getByLabel('Destination URL').fill(LONG_URL)
    await dialog.getByRole('textbox', { name: 'Foreground color' }).fill('#123456')
    const data = { url: 'https://example.com/theirs', foregroundColor: '#654321' }
    await page.request.patch(`/api/qr-codes/${id}`, { data })
    await save.click()
    await expect(dialog.getByRole('button', { name: 'Keep mine' })).toBeVisible()
    yield 'the dialog of a code that was changed elsewhere too'

    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await member()
    // The preview may have noticed it first: then the message lies over the button.
    await save.dispatchEvent('click')
    await expect(page.getByRole('button', { name: 'Reload the page' })).toBeVisible()
    yield 'a page whose account has changed in another tab'

    await changeAnswer(page, '/api/auth/user', { demo: 'live' })
    await page.goto('/dashboard')
    await expect(page.getByRole('region', { name: 'This is a live demo' })).toBeVisible()
    yield 'the live demo'
  },

  async *'the import'(page, member) {
    const owner = await member({ tier: 'professional' })
    const { vanityUrl } = await owner.code({ vanityUrl: `taken-${Date.now()}-${'x'.repeat(30)}` })
    const dialog = page.getByRole('dialog', { name: 'Import QR codes' })
    const choose = dialog.getByRole('button', { name: 'Choose a CSV file' })
    await page.goto('/dashboard?import')
    await choose.waitFor()
    yield 'the import before there is a file'

    await giveFile(page, choose, { name: 'a.xlsx', mimeType: '', buffer: Buffer.from('PK') })
    await expect(dialog.getByRole('alert')).toContainText('Excel workbook')
    yield 'the import of a file that is not a CSV'

    await giveFile(page, choose, sheetOf([...Array(8).fill(LONG_URL), 'nowhere']))
    await expect(dialog.getByText('Must be a valid URL').first()).toBeVisible()
    yield 'the rows of an import with errors'

    await page.goto('/dashboard?import')
    const unknown = Buffer.from(`${'W'.repeat(60)},B\n${LONG_URL},${LONG_URL}\n`)
    await giveFile(page, choose, { name: 'a.csv', mimeType: '', buffer: unknown })
    await expect(dialog.getByText('Choose the columns first.')).toBeVisible()
    yield 'an import whose columns are not known'

    await page.goto('/dashboard?import')
    await giveFile(page, choose, sheetOf([LONG_URL, 'nowhere'], vanityUrl ?? ''))
    await dialog.getByText(/^Changed \(/).click()
    await dialog.getByRole('button', { name: /^Design/ }).click()
    yield 'the rows of an import whose custom URLs are taken'

    await dialog.getByRole('button', { name: 'Import 1 row' }).click()
    await dialog.getByRole('heading', { name: '1 QR code created' }).waitFor()
    yield 'an import that is done, but for a row'

    await page.goto('/dashboard?import')
    await dialog.getByRole('button', { name: /^Open/ }).first().waitFor()
    yield 'the import with earlier files'

    await member()
    await page.goto('/dashboard?import')
    await giveFile(page, choose, sheetOf(Array(4).fill(LONG_URL)))
    await expect(dialog.getByRole('link', { name: 'See plans' })).toBeVisible()
    yield 'the rows of an import that the plan has no room for'
  },

  async *'the analytics'(page, member) {
    const owner = await member()
    await page.goto('/dashboard?stats&range=free&from=2026-11-01&to=2026-11-07')
    const drawer = page.getByRole('dialog', { name: 'All QR codes: analytics' })
    await expect(drawer).toContainText('No scans from')
    yield 'the analytics without a scan'

    const { id, shortCode } = await owner.code({ name: LONG })
    expect(await scan(page, shortCode)).toBe(302)
    await page.goto(`/dashboard?qr=${id}&device=Mobile`)
    const figures = drawer.or(page.getByRole('dialog'))
    await expect(figures.getByText('Visitors').first()).toBeVisible()
    for (const table of await figures.getByText('Show as a table').all()) await table.click()
    await figures.getByRole('table').first().waitFor()
    yield 'the analytics of a code'

    const openMenu = () => page.getByRole('button', { name: 'Export and share' }).click()
    const shareItem = page.getByRole('menuitem', { name: 'Create a share link' })
    await openMenu()
    await expect(shareItem).toBeVisible()
    yield 'what can be done with the analytics of a code'

    await shareItem.click()
    await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible()
    yield 'what the free plan says of sharing'

    await owner.subscribe('starter')
    await page.goto(`/dashboard?qr=${id}`)
    await openMenu()
    await shareItem.click()
    await page.getByRole('textbox', { name: 'Note' }).fill(LONG.slice(0, 100))
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = await page.getByRole('textbox', { name: 'Link: Menu' }).inputValue()
    yield 'a link to the analytics of a code'

    await page.goto(link)
    await expect(page.getByText('Visitors').first()).toBeVisible()
    yield 'a shared page'

    const print = page.getByRole('button', { name: 'Print', exact: true })
    await page.goto(`/dashboard?qr=${id}&report`)
    await print.waitFor()
    yield 'the report of a code'

    await refuse(page, /breakdown/, 404)
    await page.goto('/dashboard?stats&report')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    yield 'the report of all codes, some of whose figures are missing'
  },

  async *'the profile'(page, member) {
    const owner = await member()
    for (const name of ['One', 'Two', 'Three']) await owner.code({ name })
    await visit(page, '/profile', 'Subscription Status')
    yield 'the profile near its limit'

    await owner.subscribe('professional', 'canceled')
    await visit(page, '/profile', 'Subscription Status')
    yield 'the profile after a lapse'

    await owner.subscribe('starter')
    await page.goto('/profile')
    await page.getByRole('button', { name: 'View Plans' }).click()
    await heading(page, 'Choose Your Plan')
    yield 'the plans on the profile'

    await owner.pay('unlimited', { status: 'past_due' })
    await read(page, '/profile', 'No invoices yet.')
    yield 'the profile whose payment failed'

    await owner.pay('professional')
    await page.route('/api/user/invoices', (route) => route.fulfill({ json: invoices(8) }))
    await read(page, '/profile', 'TES-1000')
    yield 'the profile of a paying user'

    await page.getByRole('button', { name: 'Cancel plan' }).click()
    await expect(page.getByRole('dialog')).toContainText('You keep Professional until')
    yield 'the question before a plan is canceled'

    await owner.pay('starter', { ends: true })
    await refuse(page, '/api/user/invoices', 404)
    await read(page, '/profile', 'Your invoices couldn’t be loaded')
    yield 'the profile whose plan ends'
  },

  async *'the account settings'(page, member) {
    const owner = await member({ isNew: true })
    await changeAnswer(page, '/api/config', { mail: 'smtp' })
    await page.goto('/dashboard')
    await expect(page.getByRole('region', { name: 'Confirm your email address' })).toBeVisible()
    yield 'the dashboard of a new user'

    await changeAnswer(page, '/api/account', { email: LONG_EMAIL })
    for (const [settings, title] of Object.entries({
      you: 'Picture',
      'sign-in': 'Passkeys',
      notices: 'Email notifications',
      domains: 'Domains',
      keys: 'API keys',
      webhooks: 'Webhooks',
    })) {
      await visit(page, `/profile?settings=${settings}`, title)
      yield `the settings, ${settings}`
    }

    const app = new ConnectingApp(new URL(page.url()), LONG.slice(0, 80))
    await app.ask()
    await read(page, app.page.href, 'part of the Unlimited plan')
    yield 'the consent to an app on another plan'

    await owner.subscribe('unlimited')
    await page.reload()
    await expect(page.getByRole('radio', { name: /^Read and write/ })).toBeVisible()
    yield 'the consent to an app'

    await read(page, '/connect?request=none', 'This request has expired')
    yield 'a request of an app that is over'

    await make(page, '/api/domains', { host: 'qr.example.com' })
    await visit(page, '/profile?settings=domains', 'Domains')
    await expect(page.getByRole('list', { name: 'DNS records' })).toBeVisible()
    yield 'a domain that waits for its records'

    // Nothing listens there.
    const url = `http://127.0.0.1:9/${'long'.repeat(60)}`
    await make(page, '/api/webhooks', { url, types: ['code.created'] })
    await page.goto('/profile?settings=webhooks')
    await page.getByRole('button', { name: 'Send test' }).click()
    const failingSince = async () =>
      (await (await page.request.get('/api/webhooks')).json()).webhooks[0].failingSince
    await expect.poll(failingSince).not.toBeNull()
    await page.reload()
    await page.getByRole('button', { name: 'Events', exact: true }).click()
    await page.getByRole('button', { name: /^Details/ }).click()
    await expect(page.getByText('"webhook.test"')).toBeVisible()
    yield 'a webhook that fails, and its events'

    await page.goto('/profile?settings=sign-in')
    await page.getByRole('button', { name: 'Set up two-step verification' }).click()
    await expect(page.getByRole('img', { name: 'QR code with the key for your app' })).toBeVisible()
    yield 'the second step while it is set up'

    const secret = (await page.locator('code').textContent()) ?? ''
    const code = appCode(secret.replaceAll(' ', ''), new Date())
    await page.getByRole('textbox', { name: 'Code from the app' }).fill(code)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
    yield 'the recovery codes'

    await page.route('/api/account/sessions', async (route) => {
      const [session] = await (await route.fetch()).json()
      await route.fulfill({ json: [session, { ...session, id: 'other', isCurrent: false }] })
    })
    await read(page, '/profile?settings=sessions', 'End session')
    yield 'the sessions'

    await read(page, '/profile?settings=history', 'Two-step verification turned on')
    yield 'the history'

    await owner.letSignInAge()
    await page.goto('/profile?settings=leave')
    await page.getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByRole('dialog', { name: 'Delete your account?' })).toBeVisible()
    yield 'the question before an account is deleted'

    await page.getByRole('dialog').getByRole('button', { name: 'Delete account' }).click()
    await expect(page.getByRole('dialog', { name: 'Confirm it’s you' })).toBeVisible()
    yield 'the question for the password'
  },

  async *'the members of a workspace'(page, member) {
    const MEMBERS = '/profile?settings=members'
    const context = page.context()
    await member()
    await read(page, MEMBERS, 'Professional has room for 3 people')
    yield 'the members of a free workspace'

    const bob = await member({ name: LONG.slice(0, 80) })
    const asBob = await context.cookies()
    const ada = await member({ tier: 'unlimited' })
    const asAda = await context.cookies()
    await ada.code()
    await page.goto(MEMBERS)
    const invite = async (email: string) => {
      await page.getByRole('textbox', { name: 'Email' }).fill(email)
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      return (await page.getByRole('dialog').locator('code').textContent()) ?? ''
    }
    const toBob = await invite(bob.email)
    yield 'the link of an invitation'

    await page.getByRole('button', { name: 'Done' }).click()
    const toStranger = await invite(LONG_EMAIL)
    await page.getByRole('button', { name: 'Done' }).click()
    await heading(page, 'Invitations')
    yield 'the members with open invitations'

    await read(page, toBob, 'logged in with another address')
    yield 'an invitation for another address'

    await context.clearCookies()
    await read(page, toStranger, 'Create your account for')
    yield 'an invitation for a new person'

    await page.goto(toBob)
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor()
    yield 'an invitation that needs a login'

    await context.addCookies(asBob)
    await page.reload()
    await page.goto(toBob)
    await page.getByRole('button', { name: 'Join', exact: true }).waitFor()
    yield 'an invitation'

    await page.getByRole('button', { name: 'Join', exact: true }).click()
    await row(page, 'Menu card').waitFor()
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name: 'New workspace' }).waitFor()
    yield 'the workspaces of a person'

    await page.getByRole('menuitem', { name: 'New workspace' }).click()
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor()
    yield 'a new workspace'

    await read(page, `${MEMBERS}&workspace=${ada.workspaceId}`, 'Leave this workspace')
    yield 'the members as a member sees them'

    await context.addCookies(asAda)
    await page.goto(MEMBERS)
    await page.getByRole('button', { name: /^Change role of/ }).click()
    await page.getByRole('button', { name: 'Save role' }).waitFor()
    yield 'the members as their owner sees them'

    const roles = page.getByRole('form', { name: /^Role of/ })
    await roles.getByRole('radio', { name: 'Viewer' }).check()
    await page.getByRole('button', { name: 'Save role' }).click()
    await expect(page.getByText('Viewer since')).toBeVisible()
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByRole('dialog').waitFor()
    yield 'the question before a member is removed'

    await context.addCookies(asBob)
    await page.goto(`/dashboard?workspace=${ada.workspaceId}`)
    await row(page, 'Menu card').waitFor()
    yield 'the dashboard of a viewer'

    await read(page, '/dashboard?workspace=none', 'You’re not in this workspace')
    yield 'a workspace of others'
  },

  async *'the plans'(page, member) {
    const owner = await member()
    await owner.code()
    await read(page, '/subscription?tier=professional&billing=annual', 'with a 14-day limit')
    yield 'the plans with what they change'

    await changeAnswer(page, '/api/config', { billing: 'off' })
    await read(page, '/subscription', 'Plans aren’t for sale here')
    yield 'the plans of a server without payments'

    await page.unrouteAll({ behavior: 'wait' })
    await owner.subscribe('professional')
    await visit(page, '/subscription?tier=unlimited&billing=monthly', 'Choose Your Plan')
    yield 'the plans'
  },

  async *'a payment'(page, member) {
    await page.addInitScript(keepToasts)
    await member()
    await openPayment(page)
    const declined = 'Your card was declined. Nothing was charged.'
    await refuse(page, '/api/checkout/open/page', 402, 'card_declined', declined)
    await page.goto(PAYMENT_STEP)
    await chooseCard(page, DECLINED)
    await page.getByRole('button', { name: 'Subscribe to Professional' }).click()
    await expectToast(page, 'Payment Failed', declined)
    yield 'the payment step with a declined card'

    await refuse(page, '/api/checkout/open/payment', 404, 'checkout_not_found')
    await visit(page, PAYMENT_STEP, 'There’s nothing to pay here')
    yield 'a payment that is over'
  },

  async *'the sandbox'(page, member) {
    await member()
    const over = '/api/checkout/00000000-0000-4000-8000-000000000000'
    await visit(page, over, 'This payment is no longer open')
    yield 'a test payment that is not open any more'

    await choosePlan(page, 'Professional')
    await heading(page, 'Pay for Professional')
    yield 'a test payment'

    await buyPlan(page, 'Unlimited', 'Monthly')
    await choosePlan(page, 'Starter')
    await heading(page, 'Change to Starter')
    yield 'a change of plan in the sandbox'

    await openPortal(page)
    await page.getByRole('button', { name: 'One year' }).click()
    await expect(page.getByRole('table').getByRole('row')).toHaveCount(14)
    yield 'the billing portal of the sandbox'

    const invoice = page.getByRole('link', { name: /^TEST-0001/ })
    await visit(page, (await invoice.getAttribute('href')) ?? '', 'Invoice TEST-0001')
    yield 'an invoice of the sandbox'
  },
}

/** A spreadsheet with a row for each destination. */
function sheetOf(urls: string[], vanityUrl = '') {
  const rows = urls.map((url) => [LONG, url, vanityUrl, 'Spring'].join(';'))
  const lines = ['Name;Destination;Custom URL;Tags', ...rows]
  const name = `${'rooms-'.repeat(20)}.csv`
  return { name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
}

/** Three codes fill the free plan: one with a long name that has expired, one paused. */
async function withCodes(page: Page, member: Member): Promise<Account> {
  const owner = await member()
  await owner.code({ name: 'Poster' })
  const { id } = await owner.code({ name: LONG, url: LONG_URL, isActive: true })
  await owner.expire(id, DAY_AGO())
  await owner.code({ name: 'Flyer', isActive: false, foregroundColor: '#FFFFFF' })
  await owner.allChecked()
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('0 scans')
  return owner
}

/** Run in the page: a toast stays for as long as the checks take. */
function keepToasts() {
  const { setTimeout } = window
  const isToast = (delay?: number) => delay === 5_000
  window.setTimeout = ((run: () => void, delay?: number) =>
    setTimeout(run, isToast(delay) ? 600_000 : delay)) as typeof setTimeout
}
