import { Agent } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionSecret } from '../../src/server/accounts/sessions/session-secret.ts'
import { connect, locationOf } from '../../src/server/database/connect.ts'
import { knownAgents } from '../support/agents.ts'
import { BEHIND_PROXY } from '../support/crowd.ts'
import { enrol, quickKey } from '../support/enrolment.ts'
import type { Kept } from '../support/kept-memory.ts'
import { eventually } from '../support/ledger.ts'
import { scanMany } from '../support/many-scans.ts'
import { metricOf } from '../support/metric.ts'
import { printCode, printCodes } from '../support/printed-code.ts'
import { type ServerProcess, startProcess } from '../support/process.ts'
import { visit } from '../support/visitors.ts'

/*
 * The memory that the threads of a real process keep after many bad requests, its garbage collected.
 * The server trusts a proxy here, so that each request comes from an address of its own.
 */

const FEW = 10_000
const MANY = 30_000
const WARM = 100
const GROWTH_MAX = 1.1
/**
 * The limit of the whole process, with what no collection frees: allocators keep what the busiest moment took,
 * which is reached after some ten thousand requests. A leak of 2 kB a request is more.
 */
const RESIDENT_GROWTH_MAX = 1.3
const AT_ONCE = 16

type Request = { path: string; method?: string; headers?: Record<string, string>; body?: string }

let server: ServerProcess
let cookie: string
let key: string
let keys: string[]

beforeAll(async () => {
  server = await startProcess({
    preload: 'kept-memory.ts',
    environment: BEHIND_PROXY,
  })
  const { origin, dataDir } = server
  const database = connect(locationOf({ dataDir }), () => {})
  const secret = sessionSecret({ dataDir })
  const registry = { database, publicUrl: origin, secret, derive: quickKey }
  const enrolled = await enrol(registry, { email: 'ada@example.com', name: 'Ada Lovelace' })
  cookie = `${enrolled.cookie.name}=${enrolled.cookie.value}`
  key = (await printCode(database.db, { workspace_id: enrolled.workspaceId })).key
  keys = (await printCodes(database.db, 100)).map((code) => code.key)
  await database.close()
  // Most threads are there then, and their code is loaded.
  for (const flood of Object.values(floods)) await send(flood, MANY, MANY + WARM)
})
afterAll(async () => {
  await server.stop()
  await server.remove()
})

/** A number without a pattern for each index, the same in each run. */
const mixed = (index: number) => Math.imul(index + 1, 2_654_435_761) >>> 4

/** Capitals and small letters by the bits of the number: the name has 28 letters. */
function spelling(bits: number): string {
  let letter = 0
  return 'America/Argentina/ComodRivadavia'.replace(/[a-z]/gi, (each) =>
    (bits >> letter++) & 1 ? each.toUpperCase() : each.toLowerCase(),
  )
}

const floods: Record<string, (index: number) => Request> = {
  'spellings of a time zone': (index) => ({
    path: `/api/analytics/user?tz=${spelling(mixed(index))}`,
    headers: { cookie },
  }),
  'unknown codes': (index) => ({ path: `/qr/${mixed(index).toString(36)}-${index}` }),
  'failed sign-ins': (index) => ({
    path: '/api/auth/sign-in/email',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${index}@example.com`, password: 'wrong horse battery' }),
  }),
  lists: () => ({ path: '/api/qr-codes', headers: { cookie } }),
  pages: () => ({ path: '/' }),
  'forged agents': (index) => ({
    path: `/qr/${key}`,
    headers: {
      'user-agent': `Mozilla/5.0 ${index} `.padEnd(900, 'x'),
      referer: `https://${index}.example/`,
    },
  }),
  'sign-in pages': (index) => ({ path: `/api/login?returnTo=/${index}` }),
}

const addressOf = (index: number) =>
  `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`

/** Sends the requests from the first index to before the last, some at once. */
async function send(flood: (index: number) => Request, first: number, last: number) {
  const agent = new Agent({ keepAlive: true })
  let next = first
  const worker = async () => {
    while (next < last) {
      const index = next++
      const { path, headers = {}, ...rest } = flood(index)
      const from = { ...headers, 'x-forwarded-for': addressOf(index), origin: server.origin }
      const { status } = await visit(server.origin + path, { ...rest, headers: from, agent })
      expect(status).toBeLessThan(504)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  agent.destroy()
}

async function kept(): Promise<Kept> {
  const { status, body } = await visit(`${server.origin}/kept-memory`)
  expect(status).toBe(200)
  return JSON.parse(body) as Kept
}

/** The growth of the threads that were there before; new threads do not count. */
function growth({ threads: before }: Kept, { threads: after }: Kept): number {
  const both = Object.keys(before)
    .map(Number)
    .filter((thread) => thread in after)
  const sum = (kept: Kept['threads']) => both.reduce((bytes, each) => bytes + (kept[each] ?? 0), 0)
  return sum(after) / sum(before)
}

test.each(Object.entries(floods))(
  `${MANY} requests for %s keep no more than ${FEW}`,
  async (_, flood) => {
    await send(flood, 0, FEW)
    const before = await kept()
    await send(flood, FEW, MANY)
    const after = await kept()
    expect(growth(before, after)).toBeLessThan(GROWTH_MAX)
    expect(after.resident / before.resident).toBeLessThan(RESIDENT_GROWTH_MAX)
  },
)

const FEW_SCANS = 200_000
const MANY_SCANS = 1_000_000
const SCANS_GROWTH_MAX = 1.1
/** The limit of the whole process, with what allocators keep. A leak of 135 bytes a scan is more. */
const SCANS_RESIDENT_GROWTH_MAX = 1.2

test(`${MANY_SCANS} scans keep no more than ${FEW_SCANS}`, async () => {
  const agents = knownAgents('devices').map(({ agent }) => agent)
  const scan = (index: number) => {
    const [code, agent] = [keys[mixed(index) % keys.length], agents[index % agents.length]]
    const head = `Host: x\r\nUser-Agent: ${agent}\r\nX-Forwarded-For: ${addressOf(index)}`
    return `GET /qr/${code} HTTP/1.1\r\n${head}\r\n\r\n`
  }
  const keptAfter = async (first: number, last: number) => {
    await scanMany(server.origin, first, last, scan)
    await eventually(async () => (await metricOf(server, 'scans_waiting')) === 0)
    return kept()
  }
  const since = performance.now()
  const before = await keptAfter(0, FEW_SCANS)
  const after = await keptAfter(FEW_SCANS, MANY_SCANS)
  say(before, after, (performance.now() - since) / 1_000)
  expect(growth(before, after)).toBeLessThan(SCANS_GROWTH_MAX)
  expect(after.resident / before.resident).toBeLessThan(SCANS_RESIDENT_GROWTH_MAX)
})

function say(before: Kept, after: Kept, seconds: number) {
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`
  const heap = ({ threads }: Kept) => Object.values(threads).reduce((sum, each) => sum + each, 0)
  console.log(
    `${MANY_SCANS} scans in ${seconds.toFixed(0)} s: JavaScript keeps ${megabytes(heap(before))} after ` +
      `${FEW_SCANS} and ${megabytes(heap(after))} after all, the process ` +
      `${megabytes(before.resident)} and ${megabytes(after.resident)}`,
  )
}
