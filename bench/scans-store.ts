/**
 * Scans in ClickHouse beside SQLite and PostgreSQL: the CPU of our process for each scan that is folded, in turns;
 * then a large store in ClickHouse, of which one account has a tenth: bytes a scan, and the questions of its
 * drawer, the first time and the second. TEST_CHDB names the folder in which chdb is installed; BENCH_SCANS is the
 * size of the store, 100,000,000 by default. The figures of the other two are in `npm run bench -- analytics`.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ClickHouse } from '../src/server/analytics/store/clickhouse/clickhouse.ts'
import { foldScanOf, ScanKinds } from '../src/server/analytics/store/fold-scan.ts'
import { openInbox } from '../src/server/analytics/store/open-inbox.ts'
import { openCounts, prepareScans } from '../src/server/analytics/store/open-store.ts'
import { newScanId } from '../src/server/analytics/store/scan-ids.ts'
import type { Question, Selection } from '../src/server/analytics/store/scans-store.ts'
import { connect, type Location } from '../src/server/database/connect.ts'
import type { WorkspaceId } from '../src/server/database/ids.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { QUARTERS_A_DAY } from '../src/server/dates.ts'
import { startScansServer } from '../tests/support/clickhouse.ts'
import { newFolder } from '../tests/support/folder.ts'
import { scanFrom } from '../tests/support/past-scans.ts'
import { median, spread } from './figures.ts'
import { throwAwayPostgres } from './throw-away-postgres.ts'

const SCANS = Number(process.env.BENCH_SCANS ?? 100_000_000)
const ROUNDS = 8
const BATCH = 8_000
const CODES = 500
const DAYS = 90
const AT = Date.UTC(2026, 10, 1)
const COUNTRIES = ['DE', 'US', 'GB', 'FR', 'NL', 'PL', 'ES', 'IT', 'BR', 'IN']

const folder = await newFolder()
const postgres = await throwAwayPostgres()
const server = await startScansServer()
await new ClickHouse({ url: server.url }).run('create database bench')
const scans = { url: `${server.url}/bench` }

const places: Record<string, Location> = {
  SQLite: { engine: 'sqlite', file: join(folder, 'bench.sqlite') },
  PostgreSQL: { engine: 'postgres', url: postgres.url },
  ClickHouse: { engine: 'postgres', url: postgres.url, scans },
}

try {
  for (const location of Object.values(places)) {
    const database = connect(location, () => {})
    await migrate(database)
    await prepareScans(database)
    await database.close()
  }
  await compareFolds()
  await fill()
  await askDrawer()
} finally {
  await server.kill()
  postgres.end()
  await rm(folder, { recursive: true, force: true })
}

/** Microseconds of CPU that our process takes for a scan, in turns. */
async function compareFolds() {
  const times = new Map<string, number[]>()
  const opening = Object.entries(places).map(
    async ([name, location]) =>
      [name, await openInbox(location, { keepRefused: () => {} })] as const,
  )
  const inboxes = await Promise.all(opening)
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, inbox] of inboxes) {
      const batch = batchOf(round)
      const before = process.cpuUsage()
      await inbox.add(batch)
      const { user, system } = process.cpuUsage(before)
      // The first batch opens the store.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), (user + system) / BATCH])
    }
  }
  for (const [, inbox] of inboxes) inbox.close()
  const sqlite = median(times.get('SQLite') ?? [])
  for (const [name, each] of times) {
    const ratio = (median(each) / sqlite).toFixed(2)
    console.log(`${name}: ${spread(each, 1)} µs of our CPU a folded scan, ${ratio} x of SQLite's`)
  }
}

function batchOf(round: number) {
  const kinds = new ScanKinds()
  return Array.from({ length: BATCH }, (_, index) => {
    const at = AT + round * 60_000 + index * 7
    const country = COUNTRIES[index % COUNTRIES.length] as string
    const visitor = `${round}-${index}`.padEnd(16, 'x')
    const code_id = `code-${index % CODES}`
    return foldScanOf(scanFrom({ id: newScanId(at), code_id, at, country, visitor }), kinds)
  })
}

/** Fills the store by its own means: ten accounts, each with as many scans, over some months. */
async function fill() {
  const clickhouse = new ClickHouse(scans, { timeoutMs: 3_600_000 })
  const begun = performance.now()
  await clickhouse.run('truncate table scans')
  const text = (values: string[]) => `[${values.map((value) => `'${value}'`)}]`
  for (let day = 0; day < DAYS; day++) {
    const random = (salt: number) => `cityHash64(number, ${day}, ${salt})`
    await clickhouse.run(`insert into scans select
      concat('account-', toString(number % 10)) as workspace_id,
      concat('code-', toString(floor(${CODES} * pow(${random(1)} / 18446744073709551615., 3)))) as code_id,
      ${AT + day * 86_400_000} + ${random(2)} % 86400000 as at,
      number as counter, '0123456789' as nonce, ${random(3)} % 1000000 + 1 as visitor,
      if(${random(4)} % 20 = 0, 'bot', 'person') as class, '4:opened' as rule,
      ${text(COUNTRIES)}[1 + ${random(5)} % ${COUNTRIES.length}] as country, null as region,
      concat('City ', toString(${random(6)} % 500)) as city,
      ${text(['Mobile', 'Desktop', 'Tablet'])}[1 + ${random(7)} % 3] as device,
      ${text(['iOS', 'Android', 'Windows', 'macOS'])}[1 + ${random(8)} % 4] as os,
      ${text(['Safari', 'Chrome', 'Firefox', 'Instagram'])}[1 + ${random(9)} % 4] as browser,
      if(${random(10)} % 4 = 0, concat('site', toString(${random(11)} % 200), '.example'), null) as referrer,
      ${text(['en', 'de', 'fr', 'pl'])}[1 + ${random(12)} % 4] as language,
      concat('Mozilla/5.0 (made up ', toString(${random(13)} % 300), ')') as agent,
      null as utm, null as branch
      from numbers(${Math.round(SCANS / DAYS)})`)
  }
  await clickhouse.run('optimize table scans final')
  const [row] = await clickhouse.rows<{ rows: number; bytes: number }>(
    "select sum(rows) as rows, sum(bytes_on_disk) as bytes from system.parts where table = 'scans' and active",
  )
  const { rows = 0, bytes = 0 } = row ?? {}
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
  console.log(
    `${rows} scans in ClickHouse, made in ${seconds} s: ${(bytes / rows).toFixed(1)} bytes a scan`,
  )
}

/** The drawer's questions of an account that has a tenth of all scans. */
async function askDrawer() {
  const { count } = openCounts(places.ClickHouse as Location)
  const from = (AT / 86_400_000) * QUARTERS_A_DAY
  const selection: Selection = {
    workspaceId: 'account-3' as WorkspaceId,
    codeIds: Array.from({ length: CODES }, (_, code) => `code-${code}`),
    kind: 'people',
    filters: {},
    from,
    to: from + DAYS * QUARTERS_A_DAY,
    firstCompleteDay: 0,
  }
  const starts = Array.from({ length: DAYS + 1 }, (_, day) => from + day * QUARTERS_A_DAY)
  const questions: Question[] = [
    { ask: 'points', starts, before: undefined },
    ...(['country', 'city', 'browser', 'referrer'] as const).map((facet) => ({
      ask: 'list' as const,
      facet,
    })),
    { ask: 'week', offsets: [{ from: 0, ahead: 0 }] },
    { ask: 'classes' },
    { ask: 'codes' },
  ]
  for (const filters of [{}, { country: 'DE', device: 'Mobile' }]) {
    for (const question of questions) {
      const times: number[] = []
      for (let round = 0; round < 2; round++) {
        const begun = performance.now()
        await count({ ...selection, filters }, question)
        times.push(performance.now() - begun)
      }
      const [first = 0, second = 0] = times.map((ms) => ms.toFixed(0))
      const name = 'facet' in question ? question.facet : question.ask
      console.log(
        `${name}${'country' in filters ? ', two filters' : ''}: ${first} ms, then ${second} ms`,
      )
    }
  }
}
