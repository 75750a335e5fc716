import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { DAY_MS } from '../../src/contract/time.ts'
import { decodePicture } from '../support/decode.ts'
import { expect, test } from './fixtures.ts'
import { scan } from './scan.ts'
import { choose, editing, expectToast, moreOf, openCode, row, toasts } from './screens.ts'

const download = (page: Page, name: string) =>
  row(page, name).getByRole('button', { name: `Download ${name}`, exact: true })

/** Does something by clicks, and tells how many there were. */
async function clicksOf(page: Page, act: (click: Click) => Promise<unknown>): Promise<number> {
  let clicks = 0
  await act(async (role, name) => {
    clicks++
    await page.getByRole(role, { name, exact: true }).click()
  })
  return clicks
}
type Click = (role: 'button' | 'menuitem', name: string) => Promise<void>

for (const width of [390, 1440]) {
  test(`at ${width} px a picture is two clicks away at most, and a changed destination three`, async ({
    page,
    member,
    server,
    destination,
  }) => {
    const { shortCode } = await (await member()).code({ name: 'Menu' })
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    const first = page.waitForEvent('download')
    expect(await clicksOf(page, (click) => click('button', 'Download Menu'))).toBeLessThanOrEqual(2)
    expect((await first).suggestedFilename()).toBe('Menu.png')
    const picture = await readFile(await (await first).path())
    expect(await decodePicture(picture)).toBe(`${server.origin}/qr/${shortCode}`)

    const second = page.waitForEvent('download')
    const clicks = await clicksOf(page, async (click) => {
      await click('button', 'PNG, formats for Menu')
      await click('menuitem', 'Download Menu as SVG')
    })
    expect(clicks).toBeLessThanOrEqual(2)
    expect((await second).suggestedFilename()).toBe('Menu.svg')
    // What somebody took last is what one click gives from then on.
    const third = page.waitForEvent('download')
    await download(page, 'Menu').click()
    expect((await third).suggestedFilename()).toBe('Menu.svg')

    const changed = await clicksOf(page, async (click) => {
      await click('button', 'Menu')
      await editing(page).getByLabel('Destination URL').fill(`${destination.origin}/winter`)
      await click('button', 'Save QR Code')
    })
    expect(changed).toBeLessThanOrEqual(3)
    await expect(editing(page)).toBeHidden()
    await expect(page.locator(`a[href="${destination.origin}/winter"]`)).toHaveCount(1)
  })
}

test('on a phone the first code is seen without scrolling, and every button has a word', async ({
  page,
  member,
}) => {
  const account = await member({ tier: 'professional' })
  for (const name of ['Poster', 'Flyer', 'Menu']) await account.code({ name })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toContainText('0 scans')
  const box = await row(page, 'Menu').boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(844)
  await expect(row(page, 'Menu').getByRole('button')).toHaveCount(6)
  for (const word of ['Menu', '0 scans', 'Copy', 'Download', 'PNG', 'More']) {
    await expect(row(page, 'Menu').getByText(word, { exact: true })).toBeVisible()
  }
})

test('a pause is taken back by its toast, with a click or with Ctrl+Z; a duplicate opens to get a name', async ({
  page,
  member,
}) => {
  const { shortCode } = await (await member()).code({ name: 'Menu' })
  await page.goto('/dashboard')
  for (const undo of [
    () => toasts(page).getByRole('button', { name: 'Undo' }).click(),
    () => page.keyboard.press('ControlOrMeta+z'),
  ]) {
    await choose(page, 'Menu', 'Pause')
    await expectToast(page, 'Success', 'QR code paused', 'Undo')
    await expect(row(page, 'Menu').getByText('Inactive', { exact: true })).toBeVisible()
    expect(await scan(page, shortCode)).toBe(410)
    await undo()
    await expectToast(page, 'Success', 'QR code resumed')
    await expect(row(page, 'Menu').getByText('Active', { exact: true })).toBeVisible()
    expect(await scan(page, shortCode)).toBe(302)
  }

  await test.step('a duplicate says what it is, and opens', async () => {
    const name = editing(page).getByLabel('QR Code Name')
    for (const copy of ['Menu (copy)', 'Menu (copy 2)']) {
      await choose(page, 'Menu', 'Duplicate')
      await expectToast(page, 'Success', `“Menu” duplicated as “${copy}”`)
      await expect(name).toHaveValue(copy)
      await expect(name).toBeFocused()
      const selected = await page.evaluate(() => window.getSelection()?.toString())
      expect(selected).toBe(copy)
      await page.keyboard.press('Escape')
      await expect(editing(page)).toBeHidden()
    }
  })
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

  await moreOf(page, 'Menu').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'More for Menu' })).toBeVisible()
  await expect(moreOf(page, 'Menu')).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(moreOf(page, 'Menu')).toBeFocused()
})

test('an expired code works again after one click, and until then its dialog does not praise it', async ({
  page,
  member,
}) => {
  const account = await member({ tier: 'starter' })
  const { id, shortCode } = await account.code({ name: 'Menu' })
  await account.expire(id, new Date(Date.now() - DAY_MS))
  await page.goto(`/dashboard?edit=${id}`)
  await expect(editing(page)).toContainText('This code has stopped working')
  await expect(editing(page).getByText('Scans: excellent')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
  await page.getByRole('button', { name: 'Make it work again: Menu' }).click()
  await expectToast(page, 'Success', '“Menu” works again')
  await expect(row(page, 'Menu').getByText('Active', { exact: true })).toBeVisible()
  expect(await scan(page, shortCode)).toBe(302)
})

test('paper gets all codes of the list, and of an open dialog nothing but the dialog', async ({
  page,
  member,
}) => {
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

test('codes are sorted by their scans, which one call tells', async ({ page, member }) => {
  const account = await member()
  const often = await account.code({ name: 'Often' })
  await account.code({ name: 'Never' })
  for (let number = 0; number < 3; number++) await scan(page, often.shortCode)
  await page.goto('/dashboard')
  const names = page.getByRole('row').getByRole('button', { name: /^(Often|Never)$/ })
  await expect(names).toHaveText(['Never', 'Often'])
  await page.getByRole('columnheader', { name: 'Stats' }).getByRole('button').click()
  await expect(names).toHaveText(['Often', 'Never'])
  await expect(page).toHaveURL('/dashboard?sort=-scans')
  await page
    .getByRole('radiogroup', { name: 'Status' })
    .getByText('Not scanned for 30 days')
    .click()
  await expect(page.getByRole('heading', { name: 'No QR codes match' })).toBeVisible()
})
