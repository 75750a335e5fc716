import type { Page } from '@playwright/test'
import { pdfPage } from '../support/pdf-page.ts'
import { pdfSheets } from '../support/pdf-sheets.ts'
import { expect, test } from './fixtures.ts'
import { IN_FRANCE, IN_GERMANY, scanFrom } from './scan.ts'
import { drawer } from './screens.ts'

test.use({ timezoneId: 'UTC', expected: /status of 404/ })

const report = (page: Page) => page.getByRole('dialog', { name: /^Report of/ })
const print = (page: Page) => report(page).getByRole('button', { name: 'Print', exact: true })

/** The number of pages that a printer makes of the open screen. */
async function pagesOn(page: Page, format: 'A4' | 'Letter'): Promise<number> {
  return (await pdfPage(await page.pdf({ format }), 10)).pages
}

/** The sheets whose text does not fit: the rest would not be printed. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('article > div')]
      .filter((sheet) => sheet.scrollHeight > sheet.clientHeight + 1)
      .map((sheet) => `${sheet.scrollHeight} in ${sheet.clientHeight}`),
  )

test('a report has each code on one page of A4 or Letter', async ({ page, member }) => {
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const owner = await member({ tier: 'professional' })
  const menu = await owner.code({ name: `Menu ${'and more '.repeat(8)}`.trim() })
  const poster = await owner.code({ name: 'Poster' })
  await scanFrom(page, menu, [IN_GERMANY, IN_GERMANY, IN_FRANCE])
  await scanFrom(page, poster, [IN_FRANCE])

  await test.step('it opens from the drawer by keyboard, with the filters that are on', async () => {
    await page.goto(`/dashboard?qr=${menu.id}&range=7d&country=DE`)
    await expect(drawer(page).getByRole('button', { name: 'Remove the filter' })).toBeVisible()
    await drawer(page).getByRole('button', { name: 'Export and share' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Print report' }).press('Enter')
    const sheet = report(page).getByRole('article', { name: menu.name })
    await expect(print(page)).toBeEnabled()
    await expect(page).toHaveURL(`/dashboard?qr=${menu.id}&range=7d&country=DE&report`)
    await expect(sheet).toContainText('Last 7 days: ')
    await expect(sheet).toContainText('Time zone: UTC')
    await expect(sheet).toContainText('People, only Country: Germany')
    await expect(sheet).toContainText(`/qr/${menu.shortCode}`)
    await expect(sheet).toContainText('https://example.com/menu')
    await expect(sheet.getByRole('img', { name: /^Scans by .*: 2 in all/ })).toBeVisible()
    const countries = sheet.getByRole('list', { name: 'Countries' })
    await expect(countries.getByRole('listitem')).toHaveText(['Germany 2 100%'])
    expect(await cutOff(page)).toEqual([])
  })

  await test.step('Print prints one page, on which a phone can read the code', async () => {
    await print(page).press('Enter')
    await expect(page.locator('html')).toHaveAttribute('data-printed')
    expect(await pagesOn(page, 'Letter')).toBe(1)
    const [sheet, ...others] = await pdfSheets(await page.pdf({ format: 'A4' }))
    expect(others).toEqual([])
    const corner = { left: 8, top: 8, right: 48, bottom: 48 }
    expect(await sheet?.codeIn(corner)).toMatch(new RegExp(`/qr/${menu.shortCode}$`))
  })

  await test.step('Escape leads back to the drawer, and the focus to where it was', async () => {
    await page.keyboard.press('Escape')
    await expect(report(page)).toBeHidden()
    await expect(drawer(page).getByRole('button', { name: 'Export and share' })).toBeFocused()
    await expect(page).toHaveURL(`/dashboard?qr=${menu.id}&range=7d&country=DE`)
  })

  await test.step('of all codes it waits for every figure, and says which are missing', async () => {
    await page.route(/breakdown.*facet=city/, (route) =>
      route.request().url().includes(poster.id)
        ? route.fulfill({ status: 404, body: '' })
        : route.continue(),
    )
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/dashboard?stats&report')
    const titles = report(page).getByRole('article').locator('h3')
    await expect(print(page)).toBeEnabled()
    await expect(titles).toHaveText(['All QR codes'])
    await report(page).getByRole('radio', { name: 'Codes with scans (2)' }).click()
    await expect(report(page).getByRole('alert')).toContainText('Cities of Poster')
    await expect(print(page)).toHaveCount(0)
    await page.unrouteAll({ behavior: 'wait' })
    await report(page).getByRole('button', { name: 'Try again' }).click()
    await expect(print(page)).toBeEnabled()
    await expect(titles).toHaveText(['All QR codes', menu.name, 'Poster'])
    const summary = report(page).getByRole('article').first()
    await expect(summary).toContainText('A page for each of 2 codes.')
    await expect(summary.getByRole('list', { name: 'Top codes' })).toContainText('Poster 1 25%')
    expect(await cutOff(page)).toEqual([])
    for (const format of ['A4', 'Letter'] as const) expect(await pagesOn(page, format)).toBe(3)
    await report(page).getByRole('button', { name: 'Back' }).click()
    await expect(drawer(page)).toBeVisible()
    await expect(page).toHaveURL('/dashboard?stats')
  })
})
