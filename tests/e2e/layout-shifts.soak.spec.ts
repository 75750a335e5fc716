import type { Page } from '@playwright/test'
import { DAY_MS } from '#contract/time.ts'
import { chromium } from '../support/chromium.ts'
import type { Account } from './account.ts'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'
import { scan } from './scan.ts'

/**
 * How far the page may move under the eyes of a reader, in all (web.dev/cls). `npm run bench -- web`
 * has the landing page.
 */
const SHIFT_MAX = 0.02

const { ignoreDefaultArgs, ...browser } = await chromium()
// A scroll bar that comes with the list moves the page as well. Its browser is the soak's alone.
const launchOptions = { ...browser, ignoreDefaultArgs: [...ignoreDefaultArgs, '--hide-scrollbars'] }
test.use({ launchOptions, reducedMotion: 'no-preference' })
test.describe.configure({ mode: 'default' })

const user = /\/api\/auth\/user/
const list = /\/api\/qr-codes$/
const figures = /\/api\/analytics\/user/
const plan = /\/api\/user\/subscription/
const breakdown = /\/api\/analytics\/daily-breakdown/
const chart = /\/scans-chart-/
const rows = /\/api\/analytics\/qr-code\//
const pictures = /\/generate\?/
const config = /\/api\/config/
const fonts = /\.woff2/
const everything = [user, list, figures, plan, breakdown, chart, rows, pictures, config, fonts]

const orders = {
  'the list first': everything,
  'the list last': [user, fonts, config, plan, breakdown, chart, figures, rows, pictures, list],
  'the fonts last': [user, rows, pictures, list, chart, breakdown, figures, plan, config, fonts],
}

const widths = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

type Shift = { value: number; sources: string[] }

async function observeShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    }
    const note = ({ value, sources, hadRecentInput }: Entry) => {
      const moved = sources.map(({ node, previousRect: a, currentRect: b }) => {
        const element = node instanceof Element ? node : node?.parentElement
        const label = element?.outerHTML.slice(0, 80)
        return `${a.x},${a.y} ${a.width}x${a.height} → ${b.x},${b.y} ${b.width}x${b.height} ${label}`
      })
      if (!hadRecentInput) shifts.push({ value, sources: moved })
    }
    new PerformanceObserver((entries) => (entries.getEntries() as Entry[]).forEach(note)).observe({
      type: 'layout-shift',
      buffered: true,
    })
  })
}

/** The shifts so far, once everything that has arrived is on the screen. */
async function shiftsOf(page: Page): Promise<Shift[]> {
  await settled(page)
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
}

/** A few frames on: what has arrived is on the screen, and what it asks for has been asked. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    for (let count = 0; count < 3; count++) await frame()
  })
}

function expectStill(shifts: Shift[]): void {
  const moved = shifts.reduce((sum, { value }) => sum + value, 0)
  expect(moved, JSON.stringify(shifts, null, 1)).toBeLessThan(SHIFT_MAX)
}

async function manyCodes(page: Page, account: Account): Promise<void> {
  await account.subscribe('unlimited')
  for (let count = 1; count <= 12; count++) {
    const { shortCode } = await account.code({ name: `Table ${count}` })
    if (count % 3 === 0) await scan(page, shortCode)
  }
}

async function endingCode(page: Page, account: Account): Promise<void> {
  const { id, shortCode } = await account.code({ name: 'Poster' })
  await scan(page, shortCode)
  await account.expire(id, new Date(Date.now() + 2 * DAY_MS))
}

const accounts = {
  'with many codes': { prepare: manyCodes, sign: 'Newest first' },
  'with a code that ends in two days': {
    prepare: endingCode,
    sign: 'Paid plans keep codes working.',
  },
  'without a code': { prepare: async () => {}, sign: 'No QR codes yet' },
}

for (const [account, { prepare, sign }] of Object.entries(accounts)) {
  test(`a dashboard ${account} stands still as its data arrives`, async ({ page, member }) => {
    test.slow()
    await prepare(page, await member())
    await observeShifts(page)
    for (const size of widths) {
      for (const [order, answers] of Object.entries(orders)) {
        await page.setViewportSize(size)
        await page.unrouteAll({ behavior: 'wait' })
        const held = await HeldAnswers.hold(page, any(everything))
        await page.goto('/dashboard', { waitUntil: 'commit' })
        for (const answer of answers) {
          await held.release(answer)
          await settled(page)
        }
        await expect(page.getByText(sign)).toBeAttached()
        await test.step(`${size.width} px, ${order}`, async () => expectStill(await shiftsOf(page)))
      }
    }
  })
}

const any = (parts: RegExp[]) => new RegExp(parts.map(({ source }) => source).join('|'))
