/**
 * Lighthouse with its mobile preset (a slow phone on a slow network, both simulated) and the tests'
 * Chromium, median of five loads each: the landing page, beside itself without its script, and the
 * dashboard of somebody with codes and scans. Fails where a page misses what it must hold.
 */
import { chromium as browserKind } from '@playwright/test'
import lighthouse, { type Flags, type Result } from 'lighthouse'
import Trace from 'lighthouse/core/gather/gatherers/trace.js'
import { chromium } from '../tests/support/chromium.ts'
import { startProcess } from '../tests/support/process.ts'
import { freePort } from '../tests/support/tessera.ts'
import { ownerOf } from './owner.ts'

const ROUNDS = 5
const CODES = 25
const PERFECT = 100
const BLOCKING_MAX_MS = 150
const SHIFT_MAX = 0.02
const SCRIPT_MAX_BYTES = 110_000

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]
const TIMES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'speed-index',
  'total-blocking-time',
] as const
const SHIFT = 'cumulative-layout-shift'
/** Bytes of script as sent, heads included, before anybody has touched the page. */
const SCRIPT = 'script'

type Figures = Record<Category | (typeof TIMES)[number] | typeof SHIFT | typeof SCRIPT, number> & {
  /** Names of the audits that keep a category below 100. */
  short: string[]
}

// The tests' Chromium crashes when it records this one, which no score is made of.
const recorded = Trace.getDefaultTraceCategories()
Trace.getDefaultTraceCategories = () =>
  recorded.filter((each) => each !== 'blink.webdx_feature_usage')

/** One load in a browser of its own. */
async function load(url: string, flags: Flags): Promise<Figures> {
  const port = await freePort()
  const { executablePath, args } = await chromium()
  const browser = await browserKind.launch({
    executablePath,
    args: [...args, `--remote-debugging-port=${port}`],
  })
  try {
    const answer = await lighthouse(url, {
      ...{ port, logLevel: 'error', onlyCategories: [...CATEGORIES] },
      ...flags,
    })
    if (!answer || answer.lhr.runtimeError) {
      throw new Error(answer?.lhr.runtimeError?.message ?? `Lighthouse says nothing about ${url}`)
    }
    return figuresOf(answer.lhr)
  } finally {
    await browser.close()
  }
}

function figuresOf({ categories, audits }: Result): Figures {
  const scores = CATEGORIES.map((name) => [name, 100 * (categories[name]?.score ?? Number.NaN)])
  const values = [...TIMES, SHIFT].map((name) => [name, audits[name]?.numericValue ?? Number.NaN])
  const short = CATEGORIES.filter((name) => name !== 'performance')
    .flatMap((name) => categories[name]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
    .map(({ id }) => id)
  const requests = audits['network-requests']?.details
  const script = (requests?.type === 'table' ? requests.items : [])
    .filter(({ resourceType }) => resourceType === 'Script')
    .reduce((sum, { transferSize }) => sum + Number(transferSize), 0)
  const figures = Object.fromEntries([...scores, ...values, [SCRIPT, script]])
  return { ...(figures as Omit<Figures, 'short'>), short }
}

async function loads(url: string, flags: Flags = {}): Promise<Figures[]> {
  const seen: Figures[] = []
  for (let round = 0; round < ROUNDS; round++) seen.push(await load(url, flags))
  return seen
}

type Figure = Exclude<keyof Figures, 'short'>

function median(seen: Figures[], name: Figure): number {
  return seen.map((each) => each[name]).sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN
}

function spread(seen: Figures[], name: Figure, digits = 0): string {
  const values = seen.map((each) => each[name])
  const ends = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits))
  return `${median(seen, name).toFixed(digits)} [${ends.join(' to ')}]`
}

function print(title: string, seen: Figures[]): void {
  console.log(`${title}, median (least to most) of ${ROUNDS} loads:`)
  for (const name of CATEGORIES) console.log(`  ${name}: ${spread(seen, name)}`)
  for (const name of TIMES) console.log(`  ${name}: ${spread(seen, name)} ms`)
  console.log(`  ${SHIFT}: ${spread(seen, SHIFT, 3)}`)
  console.log(`  script before anything is touched: ${spread(seen, SCRIPT)} bytes`)
  const short = new Set(seen.flatMap((each) => each.short))
  if (short.size > 0) console.log(`  below ${PERFECT}: ${[...short].join(', ')}`)
}

/** Not a number fails as well. */
function mustHold(what: string, holds: boolean): void {
  console.log(`${holds ? 'holds' : 'MISSED'}: ${what}`)
  if (!holds) process.exitCode = 1
}

const tessera = await startProcess()
try {
  const landing = await loads(`${tessera.origin}/`)
  const still = await loads(`${tessera.origin}/`, { blockedUrlPatterns: ['*.js'] })
  const { cookie } = await ownerOf(tessera, CODES)
  const dashboard = await loads(`${tessera.origin}/dashboard`, { extraHeaders: { cookie } })

  print('landing page', landing)
  for (const name of ['first-contentful-paint', 'largest-contentful-paint'] as const) {
    const ratio = median(landing, name) / median(still, name)
    console.log(`  ${name} against the page without its script: ratio ${ratio.toFixed(2)}`)
  }
  print(`dashboard with ${CODES} codes`, dashboard)
  for (const name of ['accessibility', 'best-practices', 'seo'] as const) {
    mustHold(`landing page, ${name} ${PERFECT}`, median(landing, name) === PERFECT)
  }
  for (const name of ['accessibility', 'best-practices'] as const) {
    mustHold(`dashboard, ${name} ${PERFECT}`, median(dashboard, name) === PERFECT)
  }
  mustHold(
    `landing page, total blocking time below ${BLOCKING_MAX_MS} ms`,
    median(landing, 'total-blocking-time') < BLOCKING_MAX_MS,
  )
  const script = median(landing, SCRIPT)
  mustHold(
    `landing page, script at most ${SCRIPT_MAX_BYTES} bytes`,
    script > 0 && script <= SCRIPT_MAX_BYTES,
  )
  mustHold(`landing page, layout shift below ${SHIFT_MAX}`, median(landing, SHIFT) < SHIFT_MAX)
} finally {
  await tessera.stop()
  await tessera.remove()
}
