import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BreakdownRow, UserAnalytics } from '../../src/contract/analytics/analytics.ts'
import { statusOf } from '../../src/contract/codes/code-values.ts'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import { connect, type Database, locationOf } from '../../src/server/database/connect.ts'
import { freePort } from '../support/free-port.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { TEST_LIMIT_MS } from '../support/limits.ts'
import { cookieOf } from '../support/person.ts'
import { ended } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let parent: string
let dataDir: string
let origin: string
let port: string
let database: Database
let said: string
let child: ChildProcess

function runDemo(settings: Record<string, string>) {
  // The environment of a newcomer: nothing of ours, nothing of the test runner; modules are kept as npm start has it.
  const { HOME = '', PATH = '' } = process.env
  const kept = { NODE_COMPILE_CACHE: 'dist/compile-cache' }
  const env = { HOME, PATH, HOST: '127.0.0.1', ...kept, ...settings }
  const demo = spawn('node', ['scripts/demo.ts'], { cwd: ROOT, env, stdio: 'pipe' })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child: demo, output: () => output }
}

async function startDemo() {
  const demo = runDemo({ DATA_DIR: dataDir, PORT: port })
  child = demo.child
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the demo ended:\n${demo.output()}`)
    return demo.output().includes('Its scans end on')
  })
  said = demo.output()
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tessera-demo-'))
  dataDir = join(parent, 'demo')
  port = String(await freePort())
  origin = `http://localhost:${port}`
  // An earlier start was cut off.
  await mkdir(`${dataDir}.unfinished`)
  await writeFile(join(`${dataDir}.unfinished`, 'demo.json'), '{}')
  await writeFile(join(`${dataDir}.unfinished`, 'tessera.sqlite'), 'half')
  await startDemo()
  database = connect(locationOf({ dataDir }), () => {})
})
afterAll(async () => {
  await ended(child, 'SIGTERM')
  await database.close()
  await rm(parent, { recursive: true, force: true })
})

/** Signs in as the demo says; answers a way to ask the API. */
async function signIn(plan: string) {
  const line = new RegExp(`^ *(\\S+@\\S+) +(\\S.*\\S) +${plan}$`, 'm')
  const [, email, password] = line.exec(said) ?? []
  const response = await fetch(`${origin}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(response.status).toBe(200)
  const cookie = cookieOf(response)
  return async <T>(path: string): Promise<T> =>
    (await (await fetch(origin + path, { headers: { cookie } })).json()) as T
}

const mark = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))

test('the demo says where it runs, and nothing is left of a start that was cut off', async () => {
  expect(said).toContain(`running at ${origin}`)
  expect(existsSync(`${dataDir}.unfinished`)).toBe(false)
})

test('the owner’s codes are active and paused, in both styles, with every verdict', async () => {
  const ask = await signIn('Unlimited')
  expect(await ask('/api/auth/user')).toMatchObject({
    firstName: 'Ada',
    lastName: 'Marsh',
    demo: 'local',
  })
  const all = () => ask<QrCode[]>('/api/qr-codes')
  // Checks run at low priority: other work on the machine holds them up.
  await eventually(async () => (await all()).every(({ legibility }) => legibility), TEST_LIMIT_MS)
  const codes = await all()
  const seen = (of: (code: QrCode) => unknown) => new Set(codes.map(of))
  expect(seen((code) => statusOf(code, new Date()))).toEqual(new Set(['active', 'inactive']))
  expect(seen(({ style }) => style)).toEqual(new Set(['classic', 'rounded']))
  expect(seen(({ compact }) => compact)).toEqual(new Set([true, false]))
  const verdicts = ['excellent', 'good', 'risky', 'unreadable']
  expect(seen(({ legibility }) => legibility)).toEqual(new Set(verdicts))
})

test('the free account has its three codes: one expired, one near its end, one fresh', async () => {
  const made = Date.parse((await mark()).made)
  const inDays = (days: number) => new Date(made + days * 86_400_000).toISOString().slice(0, 10)
  const ask = await signIn('Free')
  const codes = await ask<QrCode[]>('/api/qr-codes?sort=created')
  expect(codes.map(({ expiresAt }) => expiresAt?.slice(0, 10))).toEqual([-6, 2, 13].map(inDays))
  expect(await ask('/api/user/subscription')).toMatchObject({ qrCodeCount: 3, qrCodeLimit: 3 })
})

test('every day has scans, and the totals are those of the ledger', async () => {
  const ask = await signIn('Unlimited')
  const ids = new Set((await ask<QrCode[]>('/api/qr-codes')).map(({ id }) => id))
  const ledger = await ledgerOf(database)
  const persons = ledger.filter((row) => row.class === 'person' && ids.has(row.code_id))
  expect(persons.length).toBeGreaterThan(15_000)
  const { totalScans } = await ask<UserAnalytics>('/api/analytics/user')
  expect(totalScans).toBe(persons.length)
  const rows = await ask<BreakdownRow[]>('/api/analytics/daily-breakdown')
  for (const { date, ...scans } of rows.slice(0, -1)) {
    expect(Object.values(scans as Record<string, number>).some((count) => count > 0)).toBe(true)
  }
})

test('no scan is older than its code or younger than its end', async () => {
  const rows = await database.db
    .selectFrom('scans')
    .innerJoin('codes', 'codes.id', 'scans.code_id')
    .select(['name', 'at', 'created_at', 'paused_at', 'expires_at', 'deleted_at'])
    .execute()
  const astray = rows.filter((row) => {
    const ends = [row.paused_at, row.expires_at, row.deleted_at, Date.now()]
    return row.at < row.created_at || ends.some((end) => end !== null && row.at >= end)
  })
  expect(rows.length).toBeGreaterThan(15_000)
  expect(astray).toEqual([])
})

test('a second start uses what the first one made', async () => {
  const before = { mark: await mark(), ledger: (await ledgerOf(database)).length }
  expect(await ended(child, 'SIGTERM')).toBe(0)
  await startDemo()
  expect(said).not.toContain('Making')
  expect({ mark: await mark(), ledger: (await ledgerOf(database)).length }).toEqual(before)
  const ask = await signIn('Unlimited')
  expect((await ask<QrCode[]>('/api/qr-codes')).length).toBeGreaterThan(15)
})

test('the printed password is one that the product accepts', async () => {
  const password = /six \S+ \S+/.exec(said)?.[0]
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'new@example.com', name: 'New', password }),
  })
  expect(response.status).toBe(200)
})

test.each([
  [{ DATABASE_URL: 'postgres://127.0.0.1/tessera' }, /^The demo .*unset DATABASE_URL\n$/],
  [{ DATA_DIR: 'src' }, /^DATA_DIR is .*src, which holds .* is not the demo's.*\n$/],
])('%j is refused in one line', async (settings, line) => {
  const demo = runDemo(settings)
  expect(await new Promise((resolve) => demo.child.once('close', resolve))).toBe(1)
  expect(demo.output()).toMatch(line)
})
