import type { Locator, Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { IPHONE } from '../support/visitors.ts'
import { savedBy } from './files.ts'
import { expect, test } from './fixtures.ts'
import { arrival, IN_GERMANY } from './scan.ts'
import { creating, editing, fillIn, goToNewCode, leaveReady, ready, row } from './screens.ts'

const button = (scope: Page | Locator, name: string) =>
  scope.getByRole('button', { name, exact: true })

async function linkInPng(page: Page, press: () => Promise<void>): Promise<string> {
  return (await decodePicture(await savedBy(page, press))) ?? ''
}

test('a visitor’s code is ready to print in six clicks', async ({ page, destination }) => {
  let clicks = 0
  const click = async (what: Locator) => {
    clicks += 1
    await what.click()
  }
  await page.goto('/')
  const bench = page.getByRole('region', { name: 'Try it with your own link' })
  await bench.getByRole('textbox').fill(`${destination.origin}/summer`)
  await click(bench.getByRole('radio', { name: /^Forest/ }))
  await click(bench.getByRole('link', { name: 'Save and download this code' }))
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await page.getByRole('textbox', { name: 'Email' }).fill(`print-${Date.now()}@example.com`)
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await click(button(page, 'Create account'))
  await expect(creating(page)).toContainText('Here’s the code you started.')
  await expect(creating(page).getByLabel('QR Code Name')).toHaveValue('127.0.0.1')
  await expect(creating(page).getByRole('radio', { name: 'Forest' })).toBeChecked()
  await click(button(creating(page), 'Save QR Code'))
  await expect(page.getByText('QR code saved successfully!')).toBeVisible()
  await expect(creating(page)).toBeHidden()
  await expect(ready(page)).toContainText(/Stops working on \w+ \d+, \d+/)
  await expect(ready(page)).toContainText('1.97 in can be scanned from up to about 20 in away')
  const link = await linkInPng(page, () => click(button(ready(page), 'PNG')))
  expect(clicks).toBeLessThanOrEqual(6)
  expect(await arrival(page, link)).toEqual({ status: 302, to: `${destination.origin}/summer` })
  await leaveReady(page)
  await page.reload()
  await expect(row(page, '127.0.0.1')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

/** The three jobs that people come for, with the most clicks that each may take. */
async function expectFewClicks(page: Page, name: string, destination: string): Promise<void> {
  let clicks = 0
  const click = (what: Locator) => {
    clicks += 1
    return what.click()
  }
  await page.goto('/dashboard')
  await click(button(page, 'Create New QR Code'))
  await fillIn(creating(page), name, `${destination}/summer`)
  await click(button(creating(page), 'Save QR Code'))
  const link = await linkInPng(page, () => click(button(ready(page), 'Download PNG')))
  expect(clicks, 'to print').toBeLessThanOrEqual(4)
  await leaveReady(page)

  clicks = 0
  await click(row(page, name).getByRole('button', { name, exact: true }))
  await editing(page).getByLabel('Destination URL').fill(`${destination}/winter`)
  await click(button(editing(page), 'Save QR Code'))
  await expect(editing(page)).toBeHidden()
  expect(clicks, 'to another destination').toBeLessThanOrEqual(3)
  expect(await arrival(page, link)).toEqual({ status: 302, to: `${destination}/winter` })

  clicks = 0
  await click(row(page, name).getByRole('button', { name, exact: true }))
  expect(await linkInPng(page, () => click(button(editing(page), 'Download PNG')))).toBe(link)
  expect(clicks, 'to a file').toBeLessThanOrEqual(2)
}

test('a print, another destination and a file take few clicks, and a scan is seen', {
  tag: '@soak',
}, async ({ page, member, destination }) => {
  await member({ tier: 'professional' })
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    await expectFewClicks(page, `Flyer ${width}`, destination.origin)
  }
  const form = await goToNewCode(page)
  await fillIn(form, 'Poster', `${destination.origin}/poster`)
  await button(form, 'Save QR Code').click()
  const dialog = ready(page)
  const link = await linkInPng(page, () => button(dialog, 'PNG').click())
  await button(dialog, 'Scan it now').click()
  const scan = dialog.getByRole('region', { name: 'Try it before you print' }).getByRole('status')
  await expect(scan).toContainText('Waiting for a scan.')
  const headers = { 'user-agent': IPHONE, 'x-forwarded-for': IN_GERMANY }
  await page.request.get(link, { headers, maxRedirects: 0 })
  await expect(scan).toHaveText('Just scanned in Germany, on an iPhone.')

  await button(dialog, 'Create another').click()
  await fillIn(creating(page), 'Door', 'https://example.com/')
  await button(creating(page), 'Save QR Code').click()
  await expect(dialog).toContainText('Door')
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.reload()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.locator('main :focus')).toHaveCount(1)
  for (const name of ['Poster', 'Door']) await expect(row(page, name)).toBeVisible()
})
