/**
 * One, two and four processes on one PostgreSQL, each held to the same share of a core, in turns; then
 * the same with one of them killed (-9) and started again every few seconds:
 * `npm run bench -- scale [ROUNDS]`. It says redirects a second and CPU a scan against one process,
 * what a scan costs the database, and whether each answered scan is in the ledger once.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { connect } from '../../src/server/database/connect.ts'
import type { Db } from '../../src/server/database/schema.ts'
import { IPHONE } from '../../tests/support/visitors.ts'
import { insertCodes, zipf } from '../codes.ts'
import { median } from '../figures.ts'
import { familyCpu } from '../thread-cpu.ts'
import type { ScanJob, ScansSent } from './scale-scans.ts'
import { ScaleServer } from './scale-server.ts'
import { throwAwayPostgres } from './throw-away-postgres.ts'

const ROUNDS = Number(process.argv[3] ?? 3)
const SIZES = [1, 2, 4]
/** A process's share of a core: four of them leave more than half of two cores to database and generator. */
const SHARE = 0.2
const CODES = 10_000
const PATHS = 20_000
const CONNECTIONS = 16
const SECONDS = 4
const KILL_SECONDS = 15
const KILL_EVERY_MS = 3_000
const AGENT = `${IPHONE} scale/`

type Measured = {
  perSecond: number
  p99: number
  /** Microseconds of CPU a scan, of the processes and of the database */
  cpu: number
  databaseCpu: number
}

const postgres = await throwAwayPostgres()
const generator = fork(fileURLToPath(new URL('scale-scans.ts', import.meta.url)))
const sums = { sent: 0, answered: 0, others: 0, names: [] as string[], kills: 0 }

async function send(job: Omit<ScanJob, 'agent'>): Promise<ScansSent> {
  generator.send({ ...job, agent: AGENT })
  const [answer] = (await once(generator, 'message')) as [ScansSent]
  sums.sent += answer.sent
  sums.answered += answer.answered
  sums.others += answer.others
  sums.names.push(...answer.answeredNames)
  return answer
}

const cpuOf = async (servers: ScaleServer[]) =>
  (await Promise.all(servers.map((server) => server.cpu()))).reduce((sum, each) => sum + each, 0)

async function measure(servers: ScaleServer[], paths: string[], beside?: () => Promise<void>) {
  const seconds = beside ? KILL_SECONDS : SECONDS
  const before = { cpu: await cpuOf(servers), database: familyCpu(postgres.pid) }
  const ports = servers.map(({ port }) => port)
  const sending = send({ ports, paths, connections: CONNECTIONS, seconds })
  await beside?.()
  const { answered, p99 } = await sending
  await Promise.all(servers.map((server) => server.caughtUp()))
  return {
    perSecond: answered / seconds,
    p99,
    cpu: ((await cpuOf(servers)) - before.cpu) / answered,
    databaseCpu: (familyCpu(postgres.pid) - before.database) / answered,
  } satisfies Measured
}

/** Kills one after the other, and starts each again at once. */
async function killInTurns(servers: ScaleServer[]) {
  const until = performance.now() + KILL_SECONDS * 1000 - KILL_EVERY_MS
  for (let next = 0; performance.now() < until; next++) {
    await sleep(KILL_EVERY_MS)
    const server = servers[next % servers.length] as ScaleServer
    await server.kill()
    await server.start()
    sums.kills++
  }
}

function tell(title: string, seen: Measured[], one: Measured[]) {
  const of = (key: keyof Measured) => median(seen.map((each) => each[key]))
  const ratio = (key: keyof Measured) => of(key) / median(one.map((each) => each[key]))
  console.log(
    `${title}: ${of('perSecond').toFixed(0)} redirects/s (${ratio('perSecond').toFixed(2)} x one), ` +
      `${of('cpu').toFixed(0)} µs of CPU a scan (${ratio('cpu').toFixed(2)} x), and ` +
      `${of('databaseCpu').toFixed(0)} of the database (${ratio('databaseCpu').toFixed(2)} x); ` +
      `p99 ${of('p99').toFixed(0)} ms`,
  )
}

type Sizes = { rows: string; scans: string; all: string; wal: string }

/** Compares the ledger with what was sent and answered. Returns true if nothing is lost or there twice. */
async function check(servers: ScaleServer[], db: Db): Promise<boolean> {
  const { rows } = await sql<{ text: string; times: string }>`
    select text, count(*) as times from scans inner join agents on agents.id = scans.agent
    where text like ${`${AGENT}%`} group by text`.execute(db)
  const [sizes] = (
    await sql<Sizes>`select (select count(*) from scans) as rows,
      (select sum(pg_total_relation_size(relid)) from pg_partition_tree('scans')) as scans,
      pg_database_size(current_database()) as all, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal`.execute(
      db,
    )
  ).rows
  const early = servers.flatMap((server) => server.answeredEarly())
  const isEarly = new Set(early)
  const stored = new Set(rows.map(({ text }) => text))
  const twice = rows.filter(({ times }) => Number(times) > 1).length
  const lost = sums.names.filter((name) => !stored.has(name) && !isEarly.has(name)).length
  const scans = Number(sizes?.rows)
  console.log(
    `${sums.sent} sent, ${sums.answered} answered (${early.length} before they were on disk, ` +
      `${sums.others} otherwise), ${scans} stored; ${sums.kills} killed. Of ${sums.names.length} with ` +
      `a name of their own, ${lost} are lost and ${twice} there twice`,
  )
  const bytes = (value: string | undefined) => (Number(value) / scans).toFixed(0)
  console.log(
    `bytes a scan: ledger ${bytes(sizes?.scans)}, all tables ${bytes(sizes?.all)}, write-ahead log ${bytes(sizes?.wal)}`,
  )
  return lost === 0 && twice === 0 && scans <= sums.sent && scans >= sums.answered - early.length
}

const servers: ScaleServer[] = []
const { db, close } = connect({ engine: 'postgres', url: postgres.url }, () => {})
try {
  // One after the other: the first makes the tables.
  for (let count = 0; count < Math.max(...SIZES); count++) {
    servers.push(await ScaleServer.begin(postgres.url, SHARE))
  }
  const codes = await insertCodes(db, CODES)
  const paths = zipf(
    codes.map(({ shortCode }) => `/qr/${shortCode}`),
    PATHS,
  )
  // Compiled code comes late to a process with a small share.
  await measure(servers, paths, () => sleep(KILL_SECONDS * 1000))
  const isHeld = servers.map((server) => server.hold()).every(Boolean)
  const held = isHeld ? `each held to ${SHARE} of a core` : 'not held to a share'
  console.log(
    `${CODES} codes by Zipf, ${ROUNDS} rounds of ${SECONDS} s in turns, processes ${held}`,
  )
  const seen = new Map(SIZES.map((size) => [size, [] as Measured[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of SIZES) seen.get(size)?.push(await measure(servers.slice(0, size), paths))
  }
  const one = seen.get(1) ?? []
  for (const size of SIZES) tell(`${size} of 4 processes`, seen.get(size) ?? [], one)
  for (const size of SIZES) {
    const some = servers.slice(0, size)
    tell(
      `${size}, one killed every ${KILL_EVERY_MS / 1000} s`,
      [await measure(some, paths, () => killInTurns(some))],
      one,
    )
  }
  if (!(await check(servers, db))) process.exitCode = 1
} finally {
  generator.kill('SIGKILL')
  await close()
  for (const server of servers) await server.end()
  postgres.end()
}
