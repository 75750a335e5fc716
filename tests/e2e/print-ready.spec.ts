import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { IPHONE } from '../support/visitors.ts'
import { expect, test } from './fixtures.ts'
import { arrival } from './scan.ts'
import { creating, openNewCode, ready, row } from './screens.ts'

/** An address that the packaged database places in Germany. */
const IN_GERMANY = '85.214.132.117'

const button = (scope: Locator, name: string) => scope.getByRole('button', { name, exact: true })

async function linkInPng(page: Page, press: () => Promise<void>): Promise<string> {
  const started = page.waitForEvent('download')
  await press()
  const file = await (await started).path()
  return (await decodePicture(await readFile(file))) ?? ''
}

const windows = [
  [390, 844],
  [1440, 900],
] as const
for (const [width, height] of windows) {
  test(`at ${width} px a visitor has a code that is ready to print after at most six clicks`, async ({
    page,
    destination,
  }) => {
    await page.setViewportSize({ width, height })
    let clicks = 0
    const click = async (what: Locator) => {
      clicks += 1
      await what.click()
    }
    await page.goto('/')
    const bench = page.getByRole('region', { name: 'Try it with your own link' })
    await bench.getByRole('textbox').fill(`${destination.origin}/summer`)
    await click(bench.getByRole('link', { name: 'Get Started' }))
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
    await page.getByRole('textbox', { name: 'E-mail' }).fill(`print-${width}@example.com`)
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
    await click(page.getByRole('button', { name: /^Create account$/ }))
    await click(button(creating(page), 'Save QR Code'))
    await expect(page.getByText('QR code saved successfully!')).toBeVisible()
    await expect(creating(page)).toBeHidden()
    await expect(ready(page)).toContainText(/Stops working on \w+ \d+, \d+/)
    await expect(ready(page)).toContainText('50 mm (1.97 in) can be scanned from up to about 50 cm')
    const link = await linkInPng(page, () => click(button(ready(page), 'PNG')))
    expect(clicks).toBeLessThanOrEqual(6)
    expect(await arrival(page, link)).toEqual({ status: 302, to: `${destination.origin}/summer` })
  })
}

test('"Scan it now" waits for a scan, and says where it came from', async ({
  page,
  member,
  destination,
}) => {
  await member()
  await page.goto('/dashboard')
  const form = await openNewCode(page)
  await form.getByLabel('QR Code Name').fill('Poster')
  await form.getByLabel('Destination URL').fill(`${destination.origin}/poster`)
  await button(form, 'Save QR Code').click()
  const dialog = ready(page)
  const link = await linkInPng(page, () => button(dialog, 'PNG').click())
  await button(dialog, 'Scan it now').click()
  const scan = dialog.getByRole('region', { name: 'Try it before you print' }).getByRole('status')
  await expect(scan).toContainText('Waiting for a scan.')
  const headers = { 'user-agent': IPHONE, 'x-forwarded-for': IN_GERMANY }
  await page.request.get(link, { headers, maxRedirects: 0 })
  await expect(scan).toHaveText('Just scanned in Germany, on an iPhone.')

  await page.reload()
  await expect(dialog).toBeVisible()
  await page.goBack()
  await expect(dialog).toBeHidden()
  await expect(page).toHaveURL('/dashboard')
  await expect(row(page, 'Poster')).toBeVisible()
})

test('after one code comes another, and the list has the focus again at the end', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  for (const name of ['Window', 'Door']) {
    await expect(
      button(creating(page), 'Save QR Code').or(page.getByText('No QR codes yet')),
    ).toBeVisible()
    if (name === 'Window') await openNewCode(page)
    await creating(page).getByLabel('QR Code Name').fill(name)
    await creating(page).getByLabel('Destination URL').fill('https://example.com/')
    await button(creating(page), 'Save QR Code').click()
    await expect(ready(page)).toContainText(name)
    if (name === 'Window') await button(ready(page), 'Make another').click()
  }
  await expect(ready(page).locator(':focus')).toHaveCount(1)
  await button(ready(page), 'Done').click()
  await expect(ready(page)).toBeHidden()
  await expect(page.locator('main :focus')).toHaveCount(1)
  await expect(page).toHaveURL('/dashboard')
})

test('on a phone an existing code begins with its picture and its files', async ({
  page,
  member,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { id } = await (await member()).code({ name: 'Poster' })
  await page.goto(`/dashboard?edit=${id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit QR Code' })
  for (const name of ['PNG', 'PDF', 'Save QR Code', 'Cancel']) {
    await expect(button(dialog, name)).toBeInViewport()
  }
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Poster')
  await expect(dialog.getByLabel('QR Code Name')).not.toBeInViewport()
})
