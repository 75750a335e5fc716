import type { Page } from '@playwright/test'
import type { Account } from './account.ts'
import { expect } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { invoices, openPayment, PAYMENT_STEP } from './payments.ts'
import { expectToast, openCode, openNewCode, row } from './screens.ts'
import { buyPlan, choosePlan, openPortal } from './test-card.ts'

/** A screen, and how somebody comes to see it. */
export type Screen = {
  name: string
  open: (page: Page, account: () => Promise<Account>) => Promise<void>
}

const LONG = `Menu ${'w'.repeat(60)} for the summer, with everything that a long name can do`

/** An account whose codes are all there is to see: long, paused, expired. */
async function withCodes(page: Page, account: () => Promise<Account>) {
  const owner = await account()
  const url = `https://example.com/${'a-long-path/'.repeat(12)}`
  await owner.code({ name: 'Poster' })
  const { id } = await owner.code({ name: LONG, url, isActive: true })
  await owner.expire(id, new Date(Date.now() - 86_400_000))
  await owner.code({ name: 'Flyer', isActive: false, foregroundColor: '#FFFFFF' })
  await owner.allChecked()
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('0 scans')
  return owner
}

const heading = (page: Page, name: string) =>
  expect(page.getByRole('heading', { name, exact: true })).toBeVisible()

/** Every screen there is, with what makes it long, full or wrong. */
export const screens: Screen[] = [
  {
    name: 'the landing page',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('radio', { name: 'Monthly' }).check()
    },
  },
  {
    name: 'the landing page with a code that may not scan',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('textbox').fill('https://example.com/menu')
      await page.getByRole('radio', { name: 'Dark' }).check()
      await expect(page.getByText('Scans: risky')).toBeVisible()
    },
  },
  {
    name: 'the landing page with a link that is none',
    open: async (page) => {
      await page.goto('/')
      await page.getByRole('textbox').fill('the menu')
      await expect(page.getByRole('textbox')).toHaveAttribute('aria-invalid', 'true')
    },
  },
  {
    name: 'the sign-in page',
    open: async (page) => {
      await page.goto('/api/login')
      await page.getByRole('button', { name: 'Create an account' }).waitFor()
    },
  },
  {
    name: 'the sign-up page with mistakes',
    open: async (page) => {
      await page.goto('/api/login')
      await page.getByRole('button', { name: 'Create an account' }).click()
      await page.getByRole('button', { name: 'Create account' }).click()
      await expect(page.getByText('Name is required')).toBeVisible()
    },
  },
  {
    name: 'the 404 page',
    open: async (page) => {
      await page.goto('/nowhere')
      await heading(page, '404 Page Not Found')
    },
  },
  {
    name: 'a link that is of no code',
    open: async (page) => {
      await page.goto('/qr/nothing')
      await heading(page, 'This code is not known')
    },
  },
  {
    name: 'a code that is paused',
    open: async (page, account) => {
      const { shortCode } = await (await account()).code({ isActive: false })
      await page.goto(`/qr/${shortCode}`)
      await heading(page, 'This code is paused')
    },
  },
  {
    name: 'a code that has expired',
    open: async (page, account) => {
      const owner = await account()
      const { id, shortCode } = await owner.code()
      await owner.expire(id, new Date(Date.now() - 86_400_000))
      await page.goto(`/qr/${shortCode}`)
      await heading(page, 'This code has expired')
    },
  },
  {
    name: 'the page that says where a code leads',
    open: async (page, account) => {
      const url = `https://example.com/${'a-long-path/'.repeat(12)}`
      const { shortCode } = await (await account()).code({ url })
      await page.goto(`/qr/${shortCode}+`)
      await heading(page, 'Where this code leads')
    },
  },
  {
    name: 'the profile, signed out',
    open: async (page) => {
      await page.goto('/profile')
      await heading(page, 'Please log in')
    },
  },
  {
    name: 'the empty dashboard',
    open: async (page, account) => {
      await account()
      await page.goto('/dashboard')
      await heading(page, 'No QR codes yet')
    },
  },
  {
    name: 'the dashboard with codes',
    open: async (page, account) => {
      await withCodes(page, account)
    },
  },
  {
    name: 'the dashboard while it loads',
    open: async (page, account) => {
      await account()
      await HeldAnswers.hold(page, /api\/(qr-codes|analytics|user)/)
      await page.goto('/dashboard')
      await heading(page, 'QR Code Dashboard')
      await expect(page.getByRole('main').getByRole('status')).toBeVisible()
    },
  },
  {
    name: 'the dashboard whose codes cannot be read',
    open: async (page, account) => {
      await account()
      await page.route('/api/qr-codes', (route) => route.fulfill({ status: 404, body: '' }))
      await page.goto('/dashboard')
      await expect(page.getByRole('alert')).toContainText('Your QR codes could not be loaded')
    },
  },
  {
    name: 'the dashboard with a panel that is gone',
    open: async (page, account) => {
      await (await account()).code()
      await page.route(/scans-chart-/, (route) => route.abort())
      await page.route(/daily-breakdown/, (route) =>
        route.fulfill({ json: [{ date: '2026-11-01', count: 1 }] }),
      )
      await page.goto('/dashboard')
      await expect(page.getByRole('alert')).toContainText('The chart could not be shown')
    },
  },
  {
    name: 'a page that is gone',
    open: async (page, account) => {
      await account()
      await page.route(/profile-page-/, (route) => route.abort())
      await page.goto('/profile')
      await expect(page.getByRole('alert')).toContainText('This page could not be shown')
    },
  },
  {
    name: 'the dashboard with codes selected',
    open: async (page, account) => {
      await withCodes(page, account)
      await page.getByRole('checkbox', { name: 'Select Poster' }).check()
      await page.getByRole('checkbox', { name: 'Select Flyer' }).check()
    },
  },
  {
    name: 'the question before a selected code is deleted',
    open: async (page, account) => {
      await withCodes(page, account)
      await page.getByRole('checkbox', { name: 'Select Poster' }).check()
      const bar = page.getByRole('region', { name: 'Selected QR codes' })
      await bar.getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('dialog', { name: 'Delete this QR code?' })).toBeVisible()
    },
  },
  {
    name: 'the bin',
    open: async (page, account) => {
      await withCodes(page, account)
      for (const code of await page.request.get('/api/qr-codes').then((r) => r.json())) {
        await page.request.delete(`/api/qr-codes/${code.id}`)
      }
      await page.getByRole('button', { name: 'Bin', exact: true }).click()
      await expect(page.getByRole('button', { name: 'Restore Poster' })).toBeVisible()
    },
  },
  {
    name: 'the keyboard shortcuts',
    open: async (page, account) => {
      await withCodes(page, account)
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    },
  },
  {
    name: 'the dashboard with a toast',
    open: async (page, account) => {
      await page.addInitScript(keepToasts)
      await withCodes(page, account)
      await row(page, 'Poster').getByRole('button', { name: 'Pause' }).click()
      await expectToast(page, 'Success', 'QR code paused')
    },
  },
  {
    name: 'the dialog of a new code with mistakes',
    open: async (page, account) => {
      await account()
      await page.goto('/dashboard')
      const dialog = await openNewCode(page)
      await dialog.getByRole('button', { name: 'Save QR Code' }).click()
      await expect(dialog.getByText('Must be a valid URL')).toBeVisible()
    },
  },
  {
    name: 'the dialog of a refused code',
    open: async (page, account) => {
      await withCodes(page, account)
      await page.getByRole('button', { name: 'Create New QR Code' }).click()
      await expect(page.getByRole('link', { name: 'See the plans' })).toBeVisible()
    },
  },
  {
    name: 'the dialog of a code with a long name',
    open: async (page, account) => {
      await withCodes(page, account)
      const dialog = await openCode(page, LONG)
      await expect(dialog.getByText('No analytics data available yet')).toBeVisible()
    },
  },
  {
    name: 'the dialog of a code with a new custom URL',
    open: async (page, account) => {
      const owner = await account()
      await owner.subscribe('professional')
      await owner.code({ name: 'Poster' })
      await page.goto('/dashboard')
      const dialog = await openCode(page, 'Poster')
      await dialog.getByLabel('Custom URL (Optional)').fill('w'.repeat(50))
      await expect(dialog.getByText('Save first')).toBeVisible()
    },
  },
  {
    name: 'the dialog with the printing options of a code that may not scan',
    open: async (page, account) => {
      const owner = await account()
      await owner.code({ name: 'Poster', foregroundColor: '#FFFFFF', backgroundColor: '#111827' })
      await owner.allChecked()
      await page.goto('/dashboard')
      await expect(row(page, 'Poster')).toContainText('Risky to scan')
      const dialog = await openCode(page, 'Poster')
      await dialog.getByRole('button', { name: 'Printing options' }).click()
      await dialog.getByRole('radio', { name: 'High (30 %)' }).click()
      await dialog.getByRole('textbox', { name: 'Print size (mm)' }).fill('5')
      await expect(dialog.getByRole('status')).toContainText('Scans: risky')
      await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'false')
      await expect(dialog.getByText('modules wide').first()).toBeVisible()
    },
  },
  {
    name: 'the dialog of a code whose new look is being checked',
    open: async (page, account) => {
      await withCodes(page, account)
      const dialog = await openCode(page, 'Poster')
      await expect(dialog.getByRole('status')).toContainText('Scans: ')
      await HeldAnswers.hold(page, /legibility/)
      await dialog.getByRole('radio', { name: 'Rounded' }).click()
      await expect(dialog.getByRole('status')).toHaveAttribute('aria-busy', 'true')
    },
  },
  {
    name: 'the question before a delete',
    open: async (page, account) => {
      await withCodes(page, account)
      await row(page, LONG).getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'the question before changes are discarded',
    open: async (page, account) => {
      await withCodes(page, account)
      const dialog = await openCode(page, 'Poster')
      await dialog.getByLabel('QR Code Name').fill('Leaflet')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog', { name: 'Discard your changes?' })).toBeVisible()
    },
  },
  {
    name: 'the profile near its limit',
    open: async (page, account) => {
      const owner = await account()
      for (const name of ['One', 'Two', 'Three']) await owner.code({ name })
      await page.goto('/profile')
      await heading(page, 'Subscription Status')
    },
  },
  {
    name: 'the profile after a lapse',
    open: async (page, account) => {
      await (await account()).subscribe('professional', 'canceled')
      await page.goto('/profile')
      await heading(page, 'Subscription Status')
    },
  },
  {
    name: 'the plans on the profile',
    open: async (page, account) => {
      await (await account()).subscribe('starter')
      await page.goto('/profile')
      await page.getByRole('button', { name: 'View Plans' }).click()
      await heading(page, 'Choose Your Plan')
    },
  },
  {
    name: 'the profile of somebody who pays',
    open: async (page, account) => {
      await (await account()).pay('professional')
      await page.route('/api/user/invoices', (route) => route.fulfill({ json: invoices(8) }))
      await page.goto('/profile')
      await expect(page.getByRole('link', { name: 'TES-1000' })).toBeVisible()
    },
  },
  {
    name: 'the profile whose payment failed',
    open: async (page, account) => {
      await (await account()).pay('unlimited', { status: 'past_due' })
      await page.goto('/profile')
      await expect(page.getByText('No invoices yet.')).toBeVisible()
    },
  },
  {
    name: 'the profile whose plan ends',
    open: async (page, account) => {
      await (await account()).pay('starter', { ends: true })
      await page.route('/api/user/invoices', (route) => route.fulfill({ status: 404, body: '' }))
      await page.goto('/profile')
      await expect(page.getByText('Your invoices could not be loaded')).toBeVisible()
    },
  },
  {
    name: 'the question before a plan is canceled',
    open: async (page, account) => {
      await (await account()).pay('professional')
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Cancel plan' }).click()
      await expect(page.getByRole('dialog')).toContainText('You keep Professional until')
    },
  },
  {
    name: 'the question before a lower plan',
    open: async (page, account) => {
      await (await account()).pay('unlimited')
      await page.goto('/subscription')
      await page.getByRole('button', { name: 'Choose Professional' }).click()
      await expect(page.getByRole('dialog')).toContainText('you can make 10 more')
    },
  },
  {
    name: 'the plans with what they change',
    open: async (page, account) => {
      await (await account()).code()
      await page.goto('/subscription?tier=professional&billing=annual')
      await expect(page.getByText(/stops? working after 14 days/).first()).toBeVisible()
    },
  },
  {
    name: 'the plans where payments are off',
    open: async (page, account) => {
      await account()
      await page.route('/api/config', async (route) => {
        const config = await (await route.fetch()).json()
        await route.fulfill({ json: { ...config, billing: 'off' } })
      })
      await page.goto('/subscription')
      await expect(page.getByText('Plans cannot be bought here')).toBeVisible()
    },
  },
  {
    name: 'the payment step with a declined card',
    open: async (page, account) => {
      await account()
      await openPayment(page)
      const message = 'Your card was declined. Nothing was charged.'
      await page.route('/api/checkout/open/pay', (route) =>
        route.fulfill({ status: 402, json: { message, code: 'card_declined' } }),
      )
      await page.addInitScript(keepToasts)
      await page.goto(PAYMENT_STEP)
      await page.getByLabel('Test card number').fill('4000 0000 0000 0002')
      await page.getByLabel('Expiry (MM/YY)').fill('12/44')
      await page.getByLabel('CVC').fill('123')
      await page.getByRole('button', { name: 'Subscribe to Professional' }).click()
      await expectToast(page, 'Payment Failed', message)
    },
  },
  {
    name: 'a payment that is over',
    open: async (page, account) => {
      await account()
      const message = 'This payment is not open any more. Choose a plan to start a new one.'
      await page.route('/api/checkout/open/payment', (route) =>
        route.fulfill({ status: 404, json: { message, code: 'checkout_not_found' } }),
      )
      await page.goto(PAYMENT_STEP)
      await heading(page, 'There is no payment to make here')
    },
  },
  {
    name: 'the plans',
    open: async (page, account) => {
      await (await account()).subscribe('professional')
      await page.goto('/subscription?tier=unlimited&billing=monthly')
      await heading(page, 'Choose Your Plan')
    },
  },
  {
    name: 'a test payment with mistakes',
    open: async (page, account) => {
      await account()
      await choosePlan(page, 'Professional')
      await page.getByRole('button', { name: /^Pay/ }).click()
      await expect(page.getByText('Enter any 3 digits.')).toBeVisible()
    },
  },
  {
    name: 'a test payment that is not open any more',
    open: async (page, account) => {
      await account()
      await page.goto('/api/checkout/00000000-0000-4000-8000-000000000000')
      await heading(page, 'This payment is not open any more')
    },
  },
  {
    name: 'a change of plan in the sandbox',
    open: async (page, account) => {
      await account()
      await buyPlan(page, 'Unlimited')
      await choosePlan(page, 'Starter')
      await heading(page, 'Change to Starter')
    },
  },
  {
    name: 'the billing portal of the sandbox, a card being replaced',
    open: async (page, account) => {
      await account()
      await buyPlan(page, 'Professional', 'Monthly')
      await openPortal(page)
      await page.getByRole('button', { name: 'One year' }).click()
      await expect(page.getByRole('table').getByRole('row')).toHaveCount(14)
      await page.getByRole('button', { name: 'Replace the card' }).click()
      await expect(page.getByRole('button', { name: 'Save the card' })).toBeVisible()
    },
  },
]

/** Run in the page: a toast stays for as long as the checks take. */
function keepToasts() {
  const { setTimeout } = window
  const isToast = (delay?: number) => delay === 5_000
  window.setTimeout = ((run: () => void, delay?: number) =>
    setTimeout(run, isToast(delay) ? 600_000 : delay)) as typeof setTimeout
}
