import type { Locator, Page } from '@playwright/test'
import QRCode from 'qrcode'
import { photoOf } from '../support/photos.ts'
import { giveFile } from './files.ts'
import { expect, test } from './fixtures.ts'
import { choose, editing, moreOf, openCode } from './screens.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Check a print' })
const result = (dialog: Locator) => dialog.getByRole('status')

const pictureOf = async (page: Page, { id }: { id: string }) =>
  (await page.request.get(`/api/qr-codes/${id}/generate?size=600`)).body()

async function give(page: Page, buffer: Buffer, mimeType = 'image/jpeg'): Promise<void> {
  const button = dialogOf(page).getByRole('button', { name: 'Choose a photo' })
  await giveFile(page, button, { name: 'photo', mimeType, buffer })
}

test('a print is checked by a photo that stays in the browser', async ({ page, member }) => {
  const owner = await member({ tier: 'starter' })
  const menu = await owner.code({ name: 'Menu', url: 'https://example.com/menu' })
  const poster = await owner.code({ name: 'Poster', url: 'https://example.com/poster' })
  const print = await pictureOf(page, menu)
  await page.goto('/dashboard')
  const dialog = dialogOf(page)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${request.postData()}`)
  })

  await test.step('from the row’s menu, by a photo taken askew', async () => {
    await choose(page, 'Menu', 'Check a print')
    await expect(dialog.getByText('this code won’t scan on other devices')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Choose a photo' })).toBeFocused()
    await give(page, await photoOf(print))
    await expect(result(dialog)).toContainText('The print scans')
    const wanted = 'This is “Menu”, and it leads to https://example.com/menu'
    await expect(result(dialog)).toContainText(wanted)
    await expect(dialog.getByRole('img', { name: 'What the camera saw' })).toBeVisible()
    await expect(dialog.getByRole('listitem')).toHaveText(/It scans$/)
    expect(sent).toEqual([`POST {"found":"link","path":"${menu.shortCode}"}`])
  })

  await test.step('another of their codes is named', async () => {
    await give(page, await photoOf(await pictureOf(page, poster)))
    await expect(result(dialog)).toContainText('This is another of your codes: “Poster”')
  })

  await test.step('what cannot be read says why, and what helps', async () => {
    await give(page, await photoOf(print, { change: (photo) => photo.blur(8).linear(0.06, 2) }))
    await expect(result(dialog)).toContainText('The photo is too dark')
    await give(page, await photoOf(print, { change: (photo) => photo.blur(30) }))
    await expect(result(dialog)).toContainText('The photo is blurry')
    await expect(result(dialog)).toContainText('Hold your phone still')
    const left = { left: 0, top: 0, width: 760, height: 1_200 }
    // The same picture each time: some symbols have too few edges there.
    const whole = await QRCode.toBuffer('https://example.com/qr/abcdefgh', { width: 600 })
    await give(page, await photoOf(whole, { change: (photo) => photo.extract(left) }))
    await expect(result(dialog)).toContainText('Part of the code isn’t in the photo')
    await give(page, Buffer.from('%PDF-1.7'), 'application/pdf')
    await expect(result(dialog)).toContainText('This file isn’t a photo')
    await expect(dialog.getByRole('listitem')).toHaveCount(5)
  })

  await test.step('Escape leads back to the row', async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(moreOf(page, 'Menu')).toBeFocused()
    expect(new URL(page.url()).search).toBe('')
  })

  await test.step('the code’s own dialog tells of the last check, and stays under the next', async () => {
    const form = await openCode(page, 'Menu')
    await expect(form.getByText(/^Print checked on .*: part of the code wasn’t/)).toBeVisible()
    await form.getByRole('button', { name: 'Check a print' }).click()
    await give(page, await photoOf(print, { angle: 100, width: 4_000 }))
    await expect(result(dialog)).toContainText('The print scans')
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(editing(page)).toBeVisible()
    const said = /^Print checked on .*: it scans and leads to https:\/\/example.com\/menu$/
    await expect(form.getByText(said)).toBeVisible()
    await expect(form.getByRole('button', { name: 'Check a print' })).toBeFocused()
  })
})
