import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { QrCode } from '#contract/codes/codes.ts'
import { SEED_PASSWORD, seedEmail } from '../../scripts/seed/seed-codes.ts'
import { type ServerProcess, startProcess } from '../../tests/support/process.ts'
import { threadCpu } from '../thread-cpu.ts'

/** A server rests when it takes less than this share of a core for this time. */
const REST = { share: 0.05, ms: 2_000, limitMs: 60_000 }
const SECRET = 'of this bench alone, and of no one else'

/** A data folder in which one account has these scans. */
export type Seed = { scans: string; dataDir: string; environment: Record<string, string> }

/** A server on a seed, and the account signed in. */
export type Seeded = {
  server: ServerProcess
  scans: string
  cookie: string
  /** The code that is scanned most */
  hot: QrCode
}

/** Makes the scans, unless they are in the folder already. */
export async function seedOf(
  folder: string,
  { scans, codes, postgres }: { scans: string; codes: string; postgres: string | undefined },
): Promise<Seed> {
  const name = `${postgres ? 'postgres' : 'sqlite'}-${scans}-of-${codes}`
  const dataDir = join(folder, name)
  await mkdir(dataDir, { recursive: true })
  const url = postgres && (await databaseOf(postgres, name.replaceAll('-', '_')))
  const environment = { SESSION_SECRET: SECRET, ...(url && { DATABASE_URL: url }) }
  const made = join(dataDir, 'made')
  if (!existsSync(made)) {
    const env = { ...process.env, ...environment, DATA_DIR: dataDir }
    const counts = ['--scans', scans, '--codes', codes, '--accounts', '1']
    const { stdout } = await promisify(execFile)('node', ['scripts/seed.ts', ...counts], { env })
    console.log(`${url ? 'PostgreSQL' : 'SQLite'}: ${stdout.split('\n')[0]}`)
    writeFileSync(made, '')
  }
  return { scans, dataDir, environment }
}

async function databaseOf(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${name}`).catch(() => {})
  await client.end()
  return Object.assign(new URL(server), { pathname: name }).href
}

/** Starts a server, and waits until it has done what a start on so much data has to do. */
export async function startOn({ scans, dataDir, environment }: Seed): Promise<Seeded> {
  const server = await startProcess({ dataDir, environment })
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
  const hot = list.find(({ name }) => name === 'Table 1')
  if (!hot) throw new Error('the seed has no Table 1')
  await rested(server)
  return { server, scans, cookie, hot }
}

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

/** Milliseconds until a call of the account is answered. */
export async function timeOf({ server, cookie }: Seeded, call: string): Promise<number> {
  const zone = `${call.includes('?') ? '&' : '?'}tz=Europe/Berlin`
  const query = call.includes('analytics') ? zone : ''
  const start = performance.now()
  const response = await fetch(`${server.origin}${call}${query}`, { headers: { cookie } })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${call} answered ${response.status}`)
  return performance.now() - start
}

export const dashboardOf = ({ hot }: Seeded) => [
  ...['/api/auth/user', '/api/user/subscription', '/api/qr-codes', '/api/analytics/user'],
  ...['/api/analytics/daily-breakdown', `/api/analytics/qr-code/${hot.id}`],
]
