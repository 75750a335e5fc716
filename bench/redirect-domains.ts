/**
 * Redirects on the hosts of customers: a server with many domains against one with a single domain, in turns in one
 * run, both with 10,000 codes drawn by Zipf's law: `npm run bench -- redirect --domains 10000 --rounds 15`. It
 * prints the ratio of the CPU that one scan takes.
 */
import { randomUUID } from 'node:crypto'
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { connect, locationOf } from '../src/server/database/connect.ts'
import type { WorkspaceId } from '../src/server/database/ids.ts'
import { type ServerProcess, startProcess } from '../tests/support/process.ts'
import { type Burst, burst, cpuOf } from './bursts.ts'
import { insertCodes, zipf } from './codes.ts'
import { median } from './figures.ts'
import { generator } from './load.ts'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    domains: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '15' },
  },
})
const DOMAINS = Number(values.domains)
const ROUNDS = Number(values.rounds)
const CODES = 10_000
// autocannon needs minutes for more.
const VISITS = generator === 'wrk' ? 200_000 : 5_000
const ROWS_PER_STATEMENT = 500
const SECONDS = 2
const CONNECTIONS = 64

type Asked = { paths: string[]; hosts: string[] }

/** Domains of one account, and visits to its codes on them. */
async function addDomains(server: ServerProcess, count: number): Promise<Asked> {
  const { db, close } = connect(locationOf(server), () => {})
  const now = Date.now()
  const hosts = Array.from({ length: count }, (_, at) => `qr${at}.example.org`)
  const rows = hosts.map((host) => ({
    id: randomUUID(),
    workspace_id: 'bench' as WorkspaceId,
    host,
    held: host,
    secret: '',
    is_default: 0,
    home_url: null,
    added_at: now,
    proof_at: now,
    points_at: now,
    failing_since: null,
    ends_at: null,
    checked_at: now,
    check_at: Number.MAX_SAFE_INTEGER,
    found: null,
  }))
  for (let at = 0; at < count; at += ROWS_PER_STATEMENT) {
    await db
      .insertInto('domains')
      .values(rows.slice(at, at + ROWS_PER_STATEMENT))
      .execute()
  }
  const codes = await insertCodes(db, CODES)
  await close()
  const printed = codes.map(({ shortCode }, at) => [`/${shortCode}`, hosts[at % count] ?? ''])
  const visits = zipf(printed, VISITS)
  return {
    paths: visits.map(([path = '']) => path),
    hosts: visits.map(([, host = '']) => host),
  }
}

/** Waits until the server knows its domains, which it reads again every 15 seconds. */
async function knowsDomains({ origin }: ServerProcess, { paths, hosts }: Asked): Promise<void> {
  const ask = () =>
    new Promise((resolve, reject) => {
      const headers = { host: hosts[0] }
      get(`${origin}${paths[0]}`, { headers, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
  for (let tries = 0; (await ask()) !== 302; tries++) {
    if (tries === 60) throw new Error('the server does not know its domains')
    await sleep(500)
  }
}

async function newServer(count: number) {
  const server = await startProcess()
  const asked = await addDomains(server, count)
  await knowsDomains(server, asked)
  return { server, asked, bursts: [] as Burst[] }
}

const one = await newServer(1)
const many = await newServer(DOMAINS)
try {
  console.log(`${generator}, median of ${ROUNDS} rounds of ${SECONDS} s, in turns`)
  for (let round = -1; round < ROUNDS; round++) {
    for (const { server, asked, bursts } of round % 2 === 0 ? [one, many] : [many, one]) {
      const measured = await burst(server, { ...asked, seconds: SECONDS, connections: CONNECTIONS })
      // The first one of each warms it up.
      if (round >= 0) bursts.push(measured)
    }
  }
  const [reference, cpu] = [cpuOf(one.bursts), cpuOf(many.bursts)]
  const speed = (bursts: Burst[]) => median(bursts.map(({ perSecond }) => perSecond))
  console.log(
    `${DOMAINS} domains against one: ${(cpu.micros / reference.micros).toFixed(3)} of the CPU a scan, ` +
      `${(speed(many.bursts) / speed(one.bursts)).toFixed(2)} of the scans a second`,
  )
  console.log(`  one: ${reference.text}\n  ${DOMAINS}: ${cpu.text}`)
} finally {
  for (const { server } of [one, many]) {
    await server.stop()
    await server.remove()
  }
}
