import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BreakdownRow, UserAnalytics } from '../../src/contract/analytics.ts'
import { PAGE_SIZE, statusOf } from '../../src/contract/code-values.ts'
import type { QrCode } from '../../src/contract/codes.ts'
import { rebuildRollups } from '../../src/server/analytics/ledger/rebuild.ts'
import { connect, type Database, locationOf } from '../../src/server/database/connect.ts'
import { countedFrom, eventually, type LedgerRow, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { cookieOf } from '../support/person.ts'
import { ended } from '../support/process.ts'
import { freePort } from '../support/tessera.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A busy machine may take its time over the checks of forty pictures. */
const PATIENT = 120_000

/** The environment of a newcomer: nothing of ours, nothing of the test runner. */
const { HOME = '', PATH = '' } = process.env

function runDemo(settings: Record<string, string>) {
  const child = spawn('node', ['scripts/demo.ts'], {
    cwd: ROOT,
    env: { HOME, PATH, HOST: '127.0.0.1', ...settings },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child, output: () => output }
}

let dataDir: string
let origin: string
let port: string
let database: Database
let said: string
let child: ChildProcess

async function startDemo() {
  const demo = runDemo({ DATA_DIR: dataDir, PORT: port })
  child = demo.child
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`the demo ended:\n${demo.output()}`)
    return demo.output().includes('Its scans end on')
  }, PATIENT)
  said = demo.output()
}

/** Starts the demo, and lets it be killed when its database is there and nothing else yet. */
async function startAndKill() {
  const demo = runDemo({ DATA_DIR: dataDir, PORT: port })
  const isThere = async () => (await readdir(dataDir)).includes('tessera.sqlite')
  await eventually(isThere, PATIENT)
  await ended(demo.child, 'SIGKILL')
}

const mark = async () => JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-demo-'))
  port = String(await freePort())
  origin = `http://localhost:${port}`
  await startAndKill()
  expect(await mark()).toEqual({})
  await startDemo()
  database = connect(locationOf({ dataDir }), () => {})
}, 2 * PATIENT)
afterAll(async () => {
  await ended(child, 'SIGTERM')
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** What somebody asks who signs in as the demo says. */
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

test('a demo that was cut off is made afresh, and says where it runs', async () => {
  expect(said).toContain(`running at ${origin}`)
  expect(await mark()).toEqual({ made: expect.any(String) })
})

test('the owner’s list has more than a page, in every state and look', async () => {
  const ask = await signIn('Unlimited')
  expect(await ask('/api/auth/user')).toMatchObject({ firstName: 'Ada', lastName: 'Marsh' })
  const codes = await ask<QrCode[]>('/api/qr-codes')
  expect(codes.length).toBeGreaterThan(PAGE_SIZE)
  const states = new Set(codes.map((code) => statusOf(code, new Date())))
  expect(states).toEqual(new Set(['active', 'inactive', 'expired']))
  expect(new Set(codes.map(({ style }) => style)).size).toBe(2)
  expect(codes.some(({ compact }) => compact)).toBe(true)
})

test('the scan check has found every verdict there is', { timeout: PATIENT }, async () => {
  const ask = await signIn('Unlimited')
  const verdicts = async () =>
    new Set((await ask<QrCode[]>('/api/qr-codes')).map(({ legibility }) => legibility))
  await eventually(async () => !(await verdicts()).has(null), PATIENT)
  expect(await verdicts()).toEqual(new Set(['excellent', 'good', 'risky', 'unreadable']))
})

async function daysAfterMaking(days: number): Promise<string> {
  const { made } = await mark()
  return new Date(Date.parse(made) + days * 86_400_000).toISOString().slice(0, 10)
}

test('the free account has its three codes: one near its end, one fresh, one expired', async () => {
  const ask = await signIn('Free')
  const codes = await ask<QrCode[]>('/api/qr-codes?sort=created')
  expect(codes.map(({ expiresAt }) => expiresAt?.slice(0, 10))).toEqual(
    await Promise.all([-6, 2, 13].map(daysAfterMaking)),
  )
  expect(await ask('/api/user/subscription')).toMatchObject({ qrCodeCount: 3, qrCodeLimit: 3 })
})

/** Persons' scans of these codes. */
function personsOf(ledger: LedgerRow[], codes: QrCode[]): number {
  const ids = new Set(codes.map(({ id }) => id))
  return ledger.filter((row) => row.class === 'person' && ids.has(row.code_id)).length
}

test('every number comes from the ledger, and rebuilding the rollups changes none', async () => {
  const ask = await signIn('Unlimited')
  const ledger = await ledgerOf(database.db)
  expect(ledger.length).toBeGreaterThan(15_000)
  const totals = await ask<UserAnalytics>('/api/analytics/user')
  expect(totals.totalScans).toBe(personsOf(ledger, await ask<QrCode[]>('/api/qr-codes')))
  const rows = await ask<BreakdownRow[]>('/api/analytics/daily-breakdown')
  for (const { date, ...scans } of rows.slice(0, -1)) {
    expect(Object.values(scans as Record<string, number>).some((count) => count > 0)).toBe(true)
  }
  const rollups = await rollupsOf(database.db)
  expect(rollups).toEqual(countedFrom(ledger))
  await rebuildRollups(database)
  expect(await rollupsOf(database.db)).toEqual(rollups)
})

test('no scan is older than its code or younger than its end', async () => {
  const rows = await database.db
    .selectFrom('scans')
    .innerJoin('codes', 'codes.id', 'scans.code_id')
    .select(['name', 'at', 'created_at', 'paused_at', 'expires_at', 'deleted_at'])
    .where('class', '=', 'person')
    .execute()
  const astray = rows.filter((row) => {
    const ends = [row.paused_at, row.expires_at, row.deleted_at, Date.now()]
    return row.at < row.created_at || ends.some((end) => end !== null && row.at >= end)
  })
  expect(rows.length).toBeGreaterThan(15_000)
  expect(astray).toEqual([])
})

test('a second start makes nothing anew, and takes the same password', {
  timeout: PATIENT,
}, async () => {
  const before = { mark: await mark(), ledger: (await ledgerOf(database.db)).length }
  expect(await ended(child, 'SIGTERM')).toBe(0)
  await startDemo()
  expect(said).not.toContain('Making')
  expect({ mark: await mark(), ledger: (await ledgerOf(database.db)).length }).toEqual(before)
  const ask = await signIn('Unlimited')
  expect((await ask<QrCode[]>('/api/qr-codes')).length).toBeGreaterThan(PAGE_SIZE)
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

test('a former path still leads where its code does', async () => {
  const ask = await signIn('Unlimited')
  const codes = await ask<QrCode[]>('/api/qr-codes?q=takeaway')
  const { url, vanityUrl } = codes[0] as QrCode
  expect(vanityUrl).toBe('takeaway')
  const answer = await fetch(`${origin}/qr/to-go`, { method: 'HEAD', redirect: 'manual' })
  expect(answer.headers.get('location')).toBe(url)
})

test('a DATABASE_URL is refused in one line', async () => {
  const demo = runDemo({ DATABASE_URL: 'postgres://127.0.0.1/tessera' })
  const code = await new Promise((resolve) => demo.child.once('close', resolve))
  expect(code).toBe(1)
  expect(demo.output()).toMatch(/^The demo .*unset DATABASE_URL\n$/)
})

test('a folder that holds something else is refused in one line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-other-'))
  await writeFile(join(folder, 'tessera.sqlite'), 'not ours')
  const demo = runDemo({ DATA_DIR: folder })
  const code = await new Promise((resolve) => demo.child.once('close', resolve))
  expect(code).toBe(1)
  expect(demo.output()).toMatch(/^DATA_DIR is .*tessera.sqlite and is not the demo's.*\n$/m)
  expect(await readdir(folder)).toEqual(['tessera.sqlite'])
  await rm(folder, { recursive: true })
})
