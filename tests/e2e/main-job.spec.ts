import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'
import { arrival, IN_GERMANY } from './scan.ts'
import { creating, editing, expectToast, figure, moreOf, row } from './screens.ts'

/** No way through a screen takes more steps. */
const STEPS = 60

/** Presses Tab until the named control has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab') {
  for (let step = 0; step < STEPS; step++) {
    if ((await focusedName(page)).search(name) >= 0) {
      return expect.poll(() => focusIsSeen(page), `the focus on ${name} is seen`).toBe(true)
    }
    await page.keyboard.press(key)
  }
  throw new Error(`${key} never came to ${name}`)
}

/** The accessible name of the control that has the focus, or ''. */
async function focusedName(page: Page): Promise<string> {
  const focused = page.locator(':focus')
  if ((await focused.count()) === 0) return ''
  const [, name = ''] = /^- '?\w+ "([^"]*)"/.exec(await focused.ariaSnapshot()) ?? []
  return name
}

async function pressOn(page: Page, name: string | RegExp) {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Opens the menu of a row with its button, and goes down to an item. */
async function chooseByKeys(page: Page, action: string) {
  await pressOn(page, /^More for/)
  const item = page.getByRole('menuitem', { name: `${action} Poster`, exact: true })
  await expect(item).toBeVisible()
  for (let step = 0; step < STEPS; step++) {
    if (await item.and(page.locator(':focus')).count()) return page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`no arrow came to ${action}`)
}

/** Goes to a field and types over what it holds. */
async function typeInto(page: Page, name: string | RegExp, text: string) {
  await tabTo(page, name)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(text)
}

/** Whether the focused element has an outline, or a frame in the accent colour as fields do. */
function focusIsSeen(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (!focused || focused === document.body) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(focused)
    if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true
    const probe = document.createElement('i')
    probe.style.color = 'var(--accent-text)'
    document.body.append(probe)
    const accent = getComputedStyle(probe).color
    probe.remove()
    // A password's frame is around the field and the button that shows it.
    const frames = [focused, focused.parentElement].filter((frame) => frame !== null)
    return frames.some((frame) => getComputedStyle(frame).borderTopColor === accent)
  })
}

/** After a dialog has closed, some element of the page has the focus. */
async function expectFocusKept(page: Page) {
  await expect(page.locator(':focus')).toHaveCount(1)
}

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  reducedMotion: 'no-preference',
  // A scan's figures may be asked for just before its code is deleted.
  expected: /404 \(Not Found\).*\/api\/analytics\/qr-code\//,
})

/* The whole main job, by keys alone. */
test('a visitor signs up, prints a code, sees its scan, changes where it leads and deletes it', async ({
  page,
  destination,
}) => {
  const email = `keys-${process.pid}-${Date.now()}@example.com`
  await page.goto('/')
  await pressOn(page, 'Get Started')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('Ada Lovelace')
  await typeInto(page, 'Email', email)
  await typeInto(page, 'Password', PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('No QR codes yet')).toBeVisible()

  await pressOn(page, 'Create New QR Code')
  await expect(creating(page).getByLabel('QR Code Name')).toBeFocused()
  await page.keyboard.type('Poster')
  await typeInto(page, 'Destination URL', `${destination.origin}/summer`)
  await tabTo(page, /^Classic Sharp/)
  await page.keyboard.press('ArrowRight')
  await tabTo(page, /^Classic, black/)
  await page.keyboard.press('ArrowRight')
  await expect(creating(page).getByRole('radio', { name: 'Ocean' })).toBeChecked()
  await typeInto(page, 'Foreground color', '#0b3d91')
  await pressOn(page, 'Save QR Code')
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(creating(page)).toBeHidden()
  await pressOn(page, 'Done')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expectFocusKept(page)

  await pressOn(page, /^Poster$/)
  await expect(editing(page).getByLabel('QR Code Name')).toBeFocused()
  await expect(editing(page).getByRole('radio', { name: 'Rounded' })).toBeChecked()
  await expect(editing(page).getByLabel('Foreground color')).toHaveValue('#0b3d91')
  await tabTo(page, 'PNG')
  const started = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const printed = await decodePicture(await readFile(await (await started).path()))
  const link = printed ?? ''
  expect(link).toMatch(/^http:\/\/localhost:\d+\/qr\/[a-z0-9]{7}$/)
  const summer = { status: 302, to: `${destination.origin}/summer` }
  expect(await arrival(page, link, IN_GERMANY)).toEqual(summer)
  await page.keyboard.press('Escape')
  await expect(editing(page)).toBeHidden()
  await page.reload()
  await pressOn(page, /^Poster$/)
  const stats = editing(page).getByRole('region', { name: 'Performance Stats' })
  for (const [term, text] of Object.entries({
    Total: '1',
    Monthly: '1',
    Country: 'Germany',
    Device: 'Mobile',
  })) {
    await expect(figure(stats, term)).toHaveText(text)
  }

  await typeInto(page, 'Destination URL', `${destination.origin}/winter`)
  await page.keyboard.press('ControlOrMeta+s')
  await expect(editing(page)).toBeHidden()
  await expect(
    row(page, 'Poster').getByRole('button', { name: 'Poster', exact: true }),
  ).toBeFocused()
  expect(await arrival(page, link)).toEqual({ status: 302, to: `${destination.origin}/winter` })

  await chooseByKeys(page, 'Pause')
  await expectToast(page, 'Success', 'QR code paused', 'Undo')
  await expect(moreOf(page, 'Poster')).toBeFocused()
  expect((await arrival(page, link)).status).toBe(410)
  await page.keyboard.press('ControlOrMeta+z')
  await expectToast(page, 'Success', 'QR code resumed')
  expect((await arrival(page, link)).status).toBe(302)

  await tabTo(page, 'Copy link', 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Success', 'URL copied to clipboard!')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await chooseByKeys(page, 'Delete')
  const question = page.getByRole('dialog')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(moreOf(page, 'Poster')).toBeFocused()
  await chooseByKeys(page, 'Delete')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await pressOn(page, 'Delete')
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expectFocusKept(page)
  expect((await arrival(page, link)).status).toBe(404)
})
