import type { Page } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { downloaded } from './files.ts'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { editing, expectToast, openCode, row } from './screens.ts'

const download = (page: Page, name: string) =>
  row(page, name).getByRole('button', { name: `Download ${name}`, exact: true })

test('on a phone the frequent jobs take few clicks', { tag: '@soak' }, async ({ page, member }) => {
  const account = await member({ tier: 'professional' })
  for (const name of ['Poster', 'Flyer', 'Menu']) await account.code({ name })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toContainText('0 scans')
  const box = await row(page, 'Menu').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(844)
  for (const word of ['Menu', 'example.com/menu', '0 scans', 'Copy', 'Download', 'PNG', 'More']) {
    await expect(row(page, 'Menu').getByText(word, { exact: true })).toBeVisible()
  }

  const first = await downloaded(page, () => download(page, 'Menu').click())
  expect(first.suggestedFilename()).toBe('Menu.png')
  const second = await downloaded(page, async () => {
    await page.getByRole('button', { name: 'PNG, formats for Menu' }).click()
    await page.getByRole('menuitem', { name: 'Download Menu as SVG' }).click()
  })
  expect(second.suggestedFilename()).toBe('Menu.svg')
  // One click gives the format that was taken last.
  const third = await downloaded(page, () => download(page, 'Menu').click())
  expect(third.suggestedFilename()).toBe('Menu.svg')
})

test('one click undoes an expiry', { tag: '@soak' }, async ({ page, member }) => {
  const account = await member({ tier: 'starter' })
  const { id, shortCode } = await account.code({ name: 'Menu' })
  await account.expire(id, new Date(Date.now() - DAY_MS))
  await page.goto(`/dashboard?edit=${id}`)
  await expect(editing(page)).toContainText('This code stopped working')
  await expect(editing(page).getByText('Scans: excellent')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
  await page.getByRole('button', { name: 'Reactivate Menu' }).click()
  await expectToast(page, 'Success', '“Menu” works again')
  await expect(row(page, 'Menu').getByText('Active', { exact: true })).toBeVisible()
  expect(await scan(page, shortCode)).toBe(302)
})

test('the keyboard skips to the codes, and stops six times in a row', async ({ page, member }) => {
  await (await member()).code({ name: 'Menu' })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to your codes' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
  await expect(page).toHaveURL('/dashboard')

  await page.getByRole('checkbox', { name: 'Select Menu' }).focus()
  const stops = ['Menu', 'Copy link of Menu', 'Download Menu', 'PNG, formats for Menu']
  for (const name of [...stops, 'More for Menu']) {
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name, exact: true })).toBeFocused()
  }
  await page.keyboard.press('Tab')
  await expect(row(page, 'Menu').locator(':focus')).toHaveCount(0)
})

test('paper gets all codes of the list, or the open dialog alone', {
  tag: '@soak',
}, async ({ page, member }) => {
  const account = await member({ tier: 'unlimited' })
  await account.series(Array.from({ length: 27 }, (_, index) => `Table ${index + 1}`))
  await page.goto('/dashboard?q=Table')
  await expect(page.getByRole('button', { name: 'Page 2' })).toBeVisible()
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('cell', { name: /^Table \d+$/ })).toHaveCount(27)
  const { seen, width } = await page.evaluate(() => ({
    seen: document.documentElement.scrollWidth,
    width: window.innerWidth,
  }))
  expect(seen).toBeLessThanOrEqual(width)
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  await expect(page.getByRole('button', { name: 'Page 2' })).toBeVisible()

  await openCode(page, 'Table 1')
  await page.emulateMedia({ media: 'print' })
  await expect(editing(page)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeHidden()
})
