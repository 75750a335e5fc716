/**
 * The dashboard with 5,000 codes against the dashboard with 25, in turns in one run and one browser:
 * how soon its rows show, and how soon it follows typing, sorting and opening a code. Then redirects
 * while a list of 10,000 codes is read again and again, against redirects alone.
 */
import { type Browser, chromium as browserKind, type Page } from '@playwright/test'
import { chromium } from '../tests/support/chromium.ts'
import { startProcess } from '../tests/support/process.ts'
import { median, quantile, spread } from './figures.ts'
import { type Owner, ownerOf } from './owner.ts'
import { longTasks, timeOf, watchPage } from './page-timing.ts'

const FEW = 25
const MANY = 5_000
const MOST = 10_000
const ROUNDS = 3
const LIST_READS = 20
/** Between two keys of a quick typist. */
const KEY_PAUSE_MS = 120
/** Waits this long after the rows show, so that late work is seen. */
const REST_MS = 1_500

type Figures = Record<string, number>

const tessera = await startProcess()

/** One visit with an empty cache; times are milliseconds. */
async function visit(browser: Browser, { cookie, codes }: Owner): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const [name = '', value = ''] = cookie.split('=')
  await context.addCookies([{ name, value, url: tessera.origin }])
  const page = await context.newPage()
  await watchPage(page)
  await page.goto(`${tessera.origin}/dashboard`)
  const rows = await (await timeOf(page, 'navigation', 'tbody tr', ''))()
  await page.waitForTimeout(REST_MS)
  const settled = await longTasks(page)
  const list = page.getByRole('table')
  const figures: Figures = {
    'rows on the screen': rows,
    'nothing left to do': Math.max(rows, settled.lastEnd),
    ...(await typing(page, codes.length)),
  }
  await page.getByRole('searchbox').fill('')
  await page.waitForTimeout(REST_MS)
  const sorted = await timeOf(page, 'click', 'th[aria-sort="ascending"]', 'QR Code')
  await list.getByRole('button', { name: 'QR Code' }).click()
  figures['sorted by name'] = await sorted()
  const opened = await timeOf(page, 'click', '[role="dialog"] input', '')
  await list
    .getByRole('button', { name: /^Table/ })
    .first()
    .click()
  figures['dialog open'] = await opened()
  await context.close()
  return figures
}

/** Types a search one key at a time. */
async function typing(page: Page, count: number): Promise<Figures> {
  const before = await longTasks(page)
  await page.getByRole('searchbox').focus()
  const text = `table ${count}`
  const echoes: number[] = []
  const found = { selector: '[aria-live="polite"]', text: `1 of ${count} QR codes` }
  let result = async () => 0
  for (const [index, key] of [...text].entries()) {
    const typed = text.slice(0, index + 1)
    const echo = await timeOf(page, 'keydown', 'input[type="search"]', typed.trimEnd())
    if (typed === text) result = await timeOf(page, 'keydown', found.selector, found.text)
    await page.keyboard.press(key)
    echoes.push(await echo())
    await page.waitForTimeout(KEY_PAUSE_MS)
  }
  const last = await result()
  const after = await longTasks(page)
  return {
    'key to its letter, median': median(echoes),
    'key to its letter, slowest': Math.max(...echoes),
    'last key to its list': last,
    'long tasks while typing': after.count - before.count,
  }
}

async function compare(browser: Browser): Promise<void> {
  const few = await ownerOf(tessera, FEW)
  const many = await ownerOf(tessera, MANY)
  await visit(browser, few)
  const seen: [Figures, Figures][] = []
  for (let round = 0; round < ROUNDS; round++) {
    seen.push([await visit(browser, few), await visit(browser, many)])
  }
  console.log(
    `dashboard, ${MANY} codes against ${FEW}, median (least to most) of ${ROUNDS} visits:`,
  )
  for (const name of Object.keys(seen[0]?.[0] ?? {})) {
    const [a, b] = [0, 1].map((side) => seen.map((pair) => pair[side]?.[name] ?? 0))
    console.log(`  ${name}: ${ratio(b ?? [], a ?? [])}`)
  }
}

function ratio(ours: number[], reference: number[]): string {
  const quotient = median(ours) / median(reference)
  const shown = Number.isFinite(quotient) ? `ratio ${quotient.toFixed(2)}` : 'no ratio'
  return `${shown} (${spread(ours)}, against ${spread(reference)})`
}

/** Follows one link again and again until `work` is done; answers how long each redirect took. */
async function redirectsDuring(key: string, work: Promise<unknown>): Promise<number[]> {
  let over = false
  work.finally(() => {
    over = true
  })
  const times: number[] = []
  while (!over) {
    const since = performance.now()
    const response = await fetch(`${tessera.origin}/qr/${key}`, { redirect: 'manual' })
    await response.arrayBuffer()
    times.push(performance.now() - since)
  }
  await work
  return times
}

async function redirectsBesideLists(): Promise<void> {
  const { cookie, codes } = await ownerOf(tessera, MOST)
  const key = codes[0]?.shortCode ?? ''
  const readTimes: number[] = []
  let bytes = 0
  const read = async () => {
    for (let count = 0; count < LIST_READS; count++) {
      const since = performance.now()
      const response = await fetch(`${tessera.origin}/api/qr-codes`, { headers: { cookie } })
      bytes = (await response.arrayBuffer()).byteLength
      readTimes.push(performance.now() - since)
    }
  }
  await redirectsDuring(key, read())
  readTimes.splice(0)
  const alone = await redirectsDuring(key, new Promise((resolve) => setTimeout(resolve, 3_000)))
  const beside = await redirectsDuring(key, read())
  const megabytes = (bytes / 1e6).toFixed(1)
  console.log(
    `redirects while a list of ${MOST} codes (${megabytes} MB, ${spread(readTimes)} ms) is read:`,
  )
  const figures: [string, (times: number[]) => number][] = [
    ['median', median],
    ['p99', (times) => quantile(times, 0.99)],
    ['slowest', (times) => Math.max(...times)],
  ]
  for (const [name, figure] of figures) {
    const [ours, reference] = [figure(beside), figure(alone)]
    const quotient = (ours / reference).toFixed(2)
    console.log(
      `  ${name}: ratio ${quotient} (${ours.toFixed(1)} ms against ${reference.toFixed(1)} ms)`,
    )
  }
}

try {
  const browser = await browserKind.launch(await chromium())
  await compare(browser)
  await browser.close()
  await redirectsBesideLists()
} finally {
  await tessera.stop()
  await tessera.remove()
}
