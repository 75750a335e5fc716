import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { scan } from './scan.ts'
import { row } from './screens.ts'

/** The most that the dashboard may load until it can be used, in bytes as they are sent, heads included. */
const FIRST_LOAD_MAX = 180_000
/** The same with the chart, which comes when there are scans to draw. */
const WITH_CHART_MAX = 182_000

/** The landing page before a visitor touches it. */
const LANDING_SCRIPT_MAX = 74_000
const isScript = (url: string) => url.endsWith('.js')

const isChart = (url: string) => url.includes('/scans-chart-')
/** The form, and Zod with it. */
const isForm = (url: string) => /\/(code-form|schemas)-/.test(url)

/** Counts the bytes of each script and style that the page loads. */
async function transfers(page: Page): Promise<Map<string, number>> {
  const session = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  const sent = new Map<string, number>()
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (/\.(js|css)$/.test(new URL(response.url).pathname)) urls.set(requestId, response.url)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId)
    if (url) sent.set(url, (sent.get(url) ?? 0) + encodedDataLength)
  })
  await session.send('Network.enable')
  return sent
}

const total = (sent: Map<string, number>) => [...sent.values()].reduce((sum, each) => sum + each, 0)

test.use({ expected: /ERR_FAILED.*code-form/ })

test('the dashboard’s first load is light, chart and form follow', async ({ page, member }) => {
  const account = await member({ tier: 'professional' })
  for (const name of ['Menu', 'Poster', 'Flyer']) {
    const { shortCode } = await account.code({ name })
    expect(await scan(page, shortCode)).toBe(302)
  }
  const sent = await transfers(page)
  const held = await HeldAnswers.hold(page, /daily-breakdown/)
  await page.goto('/dashboard')
  await expect(page.getByRole('button', { name: 'Poster', exact: true })).toBeVisible()
  await expect(page.getByText('1 scan', { exact: true })).toHaveCount(3)

  expect([...sent.keys()].filter(isChart)).toEqual([])
  expect(sent.size).toBeGreaterThan(5)
  expect(total(sent)).toBeLessThanOrEqual(FIRST_LOAD_MAX)

  await held.release(/daily-breakdown/)
  await expect(page.getByRole('figure', { name: '3 scans in the last 30 days' })).toBeVisible()
  expect([...sent.keys()].filter(isChart).length).toBeGreaterThan(0)
  expect(total(sent)).toBeLessThanOrEqual(WITH_CHART_MAX)
  expect([...sent.keys()].filter(isForm)).toEqual([])

  // The browser counts the distance of a move from the one before it.
  for (const place of [20, 40]) await page.mouse.move(place, place)
  await expect.poll(() => [...sent.keys()].filter(isForm).length).toBeGreaterThan(1)

  const form = await HeldAnswers.hold(page, /code-form-.*js/)
  await page.goto('/dashboard')
  await page.getByRole('heading', { name: 'Your QR Codes' }).waitFor()
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('status', { name: 'Loading the form' })).toBeVisible()
  await form.release(/code-form-.*js/)
  await expect(dialog.getByRole('textbox', { name: 'QR Code Name' })).toBeFocused()

  await page.unrouteAll({ behavior: 'wait' })
  await page.route(/code-form-.*js/, (route) => route.abort())
  await page.goto('/dashboard')
  await row(page, 'Poster').getByRole('button', { name: 'Poster', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The form couldn’t be loaded')
  await page.unroute(/code-form-.*js/)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog.getByRole('textbox', { name: 'QR Code Name' })).toHaveValue('Poster')
})

test('the landing page’s script is light, engine and check follow', async ({ page }) => {
  const sent = await transfers(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  const scripts = new Map([...sent].filter(([url]) => isScript(url)))
  expect(scripts.size).toBeGreaterThan(1)
  expect(total(scripts)).toBeLessThanOrEqual(LANDING_SCRIPT_MAX)
  const isLate = (url: string) => /live-drawing|live-check-worker|engine-/.test(url)
  expect([...sent.keys()].filter(isLate)).toEqual([])
  await page.getByRole('textbox').focus()
  await expect.poll(() => [...sent.keys()].filter(isLate).length).toBeGreaterThan(1)
  const isForApp = (url: string) => /(frame|common|schemas|queries)-/.test(url)
  expect([...sent.keys()].filter(isForApp)).toEqual([])
})
