/**
 * The calls of the dashboard and the drawer with few scans and with many, in turns in one run, and
 * redirects while the dashboard is loaded in a loop against redirects alone: `npm run bench -- analytics [FEW] [MANY] [CODES]`. The
 * account has a tenth of all codes, among them the one that is scanned most. Ten million scans take
 * some minutes to make: BENCH_DATA names a folder in which they stay for the next run.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { QrCode } from '#contract/codes.ts'
import { SEED_PASSWORD, seedEmail } from '../scripts/seed/seed-codes.ts'
import { newFolder } from '../tests/support/folder.ts'
import { type ServerProcess, startProcess } from '../tests/support/process.ts'
import { evenLoad } from './even-visits.ts'
import { median, quantile } from './figures.ts'
import { threadCpu } from './thread-cpu.ts'

const [few = '100000', many = '10000000', codes = '1000'] = process.argv.slice(3)
const kept = process.env.BENCH_DATA
const ROUNDS = 40
const WARM_ROUNDS = 5
const REDIRECT_ROUNDS = 3
const REDIRECTS = { perSecond: 300, seconds: 4, expected: 302 }
/** A server rests when it takes less than this share of a core for so long. */
const REST = { share: 0.05, ms: 2_000, limitMs: 90_000 }
const CALL_MAX_MS = 20
const CALL_RATIO_MAX = 1.3
const REDIRECT_RATIO_MAX = 1.5

/** A call of the drawer with two filters over 30 days, each time with others */
const FILTERED_MAX_MS = 300
const RANGES = ['24h', '30d', '12m', 'all']

type Seeded = ServerProcess & {
  scans: string
  cookie: string
  calls: string[]
  /** The drawer's calls, of all codes and of the one that is scanned most */
  figures: string[]
  filtered: string[]
  shortCode: string
}

async function seeded(scans: string): Promise<Seeded> {
  const dataDir = kept ? join(kept, `${scans}-of-${codes}`) : await newFolder()
  if (!existsSync(join(dataDir, 'tessera.sqlite'))) {
    const env = { ...process.env, DATA_DIR: dataDir }
    const options = ['scripts/seed.ts', '--scans', scans, '--codes', codes]
    const { stdout } = await promisify(execFile)('node', options, { env })
    console.log(stdout.split('\n')[0])
  }
  const server = await startProcess({ dataDir })
  const signIn = await fetch(`${server.origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.origin },
    body: JSON.stringify({ email: seedEmail(1), password: SEED_PASSWORD }),
  })
  const cookie = signIn.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const response = await fetch(`${server.origin}/api/qr-codes`, { headers: { cookie } })
  const list = (await response.json()) as QrCode[]
  // Codes are scanned the more the lower their number is.
  const [hot] = list.filter(({ name }) => name === 'Table 1')
  if (!hot) throw new Error('the seed has no Table 1')
  const calls = [
    ...['/api/auth/user', '/api/user/subscription', '/api/qr-codes', '/api/analytics/user'],
    ...['/api/analytics/daily-breakdown', `/api/analytics/qr-code/${hot.id}`],
  ]
  const both = (callsOf: (codes: string) => string[]) => [
    ...callsOf(''),
    ...callsOf(`qr=${hot.id}&`),
  ]
  const [figures, filtered] = [both(figuresOf), both(filteredOf)]
  return { ...server, scans, cookie, calls, figures, filtered, shortCode: hot.shortCode }
}

const lists = ['country', 'city', 'browser', 'referrer'].map((facet) => `breakdown?facet=${facet}&`)
const drawer = ['figures?', ...lists, 'heatmap?', 'classes?']

const figuresOf = (codes: string) =>
  RANGES.flatMap((range) => drawer.map((call) => `/api/analytics/${call}${codes}range=${range}`))

const filteredOf = (codes: string) =>
  drawer.map((call) => `/api/analytics/${call}${codes}range=30d`)

/** As many pairs as there are rounds: whoever chooses a filter asks for what nobody has counted before. */
const filters = ['Mobile', 'Tablet', 'Desktop'].flatMap((device) =>
  'GB DE US FR NL IE ES IT PL AT CH BE SE DK NO'
    .split(' ')
    .map((country) => `&country=${country}&device=${device}`),
)

/** A start on much data has jobs to do, such as the scan check of 200 codes. We wait for their end. */
async function rested({ child }: ServerProcess): Promise<void> {
  const micros = async () =>
    [...(await threadCpu(child.pid as number)).values()].reduce((sum, each) => sum + each, 0)
  const until = performance.now() + REST.limitMs
  for (let before = await micros(); performance.now() < until; ) {
    await sleep(REST.ms)
    const after = await micros()
    if (after - before < REST.share * REST.ms * 1_000) return
    before = after
  }
}

async function timeOf({ origin, cookie }: Seeded, call: string): Promise<number> {
  const start = performance.now()
  const zone = `${call.includes('?') ? '&' : '?'}tz=Europe/Berlin`
  const query = call.includes('analytics') ? zone : ''
  const response = await fetch(`${origin}${call}${query}`, { headers: { cookie } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${call} answered ${response.status}`)
  return performance.now() - start
}

type Timing = {
  which: 'calls' | 'figures' | 'filtered'
  /** What is added to the call in a round */
  more?: (round: number) => string
  maxMs: number
  maxRatio?: number
}

async function calls(
  sizes: [Seeded, Seeded],
  { which, more = () => '', maxMs, maxRatio = Number.POSITIVE_INFINITY }: Timing,
): Promise<boolean> {
  let isMet = true
  for (const [index, call] of sizes[0][which].entries()) {
    const times: [number[], number[]] = [[], []]
    let first = 0
    for (let round = 0; round < WARM_ROUNDS + ROUNDS; round++) {
      for (const [size, seed] of sizes.entries()) {
        const time = await timeOf(seed, (seed[which][index] as string) + more(round))
        if (round === 0) first = time
        if (round >= WARM_ROUNDS) times[size]?.push(time)
      }
    }
    const [small, large] = times.map((each) => median(each)) as [number, number]
    const ratio = large / small
    if (large > maxMs || ratio > maxRatio) isMet = false
    const shown = call.replace(/qr-code\/.*/, 'qr-code/:id').replace(/qr=[^&]+/, 'qr')
    console.log(
      `${shown}${more(0) && ' with two filters'}: ${small.toFixed(1)} ms, ${large.toFixed(1)} ms ` +
        `(p95 ${quantile(times[1], 0.95).toFixed(1)}, the first ${first.toFixed(1)}), ` +
        `${ratio.toFixed(2)} x`,
    )
  }
  return isMet
}

/** Milliseconds of the redirects' 99th percentile, alone and while the dashboard is loaded in a loop. */
async function redirects(seed: Seeded): Promise<boolean> {
  const load = evenLoad()
  const origin = seed.origin.replace('localhost', '127.0.0.1')
  const job = { visits: [{ url: `${origin}/qr/${seed.shortCode}` }], ...REDIRECTS }
  const p99: { alone: number[]; beside: number[] } = { alone: [], beside: [] }
  let loaded = 0
  for (let round = 0; round < REDIRECT_ROUNDS; round++) {
    p99.alone.push(quantile((await load.send(job)).times, 0.99))
    let isOver = false
    const loop = (async () => {
      for (; !isOver; loaded++) await Promise.all(seed.calls.map((call) => timeOf(seed, call)))
    })()
    p99.beside.push(quantile((await load.send(job)).times, 0.99))
    isOver = true
    await loop
  }
  await load.end()
  const ratio = median(p99.beside) / median(p99.alone)
  console.log(
    `${seed.scans} scans: a redirect's p99 ${median(p99.alone).toFixed(1)} ms alone, ` +
      `${median(p99.beside).toFixed(1)} ms beside ${loaded} dashboards, ${ratio.toFixed(2)} x`,
  )
  return ratio <= REDIRECT_RATIO_MAX
}

const sizes: [Seeded, Seeded] = [await seeded(few), await seeded(many)]
try {
  for (const server of sizes) await rested(server)
  const plain = { maxMs: CALL_MAX_MS, maxRatio: CALL_RATIO_MAX }
  const met = [
    await calls(sizes, { which: 'calls', ...plain }),
    await calls(sizes, { which: 'figures', ...plain }),
    await calls(sizes, {
      which: 'filtered',
      more: (round) => filters[round % filters.length] as string,
      maxMs: FILTERED_MAX_MS,
    }),
    await redirects(sizes[0]),
    await redirects(sizes[1]),
  ]
  console.log(
    `aims: a call ${CALL_MAX_MS} ms and ${CALL_RATIO_MAX} x, with two filters ${FILTERED_MAX_MS} ms, p99 ${REDIRECT_RATIO_MAX} x: ${met.every(Boolean) ? 'met' : 'not met'}`,
  )
} finally {
  for (const server of sizes) {
    await server.stop()
    if (!kept) await server.remove()
  }
}
