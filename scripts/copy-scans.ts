/**
 * `npm run copy-scans`: copies scans from PostgreSQL to the ClickHouse of SCANS_URL, beside the service that runs
 * without it. `-- --back` copies them to PostgreSQL, beside the service that runs with it.
 */

import {
  type Copy,
  type Counted,
  differs,
} from '../src/server/analytics/store/clickhouse/both-sides.ts'
import { ClickHouse } from '../src/server/analytics/store/clickhouse/clickhouse.ts'
import { copyToClickHouse } from '../src/server/analytics/store/clickhouse/copy.ts'
import { copyToLedger } from '../src/server/analytics/store/clickhouse/copy-back.ts'
import { prepareScans } from '../src/server/analytics/store/open-store.ts'
import { ConfigError, readConfig } from '../src/server/config.ts'
import { isoOfQuarter } from '../src/server/dates.ts'
import { fail, readArguments } from './command.ts'
import { onDatabase } from './existing-database.ts'
import { runCommand } from './run-command.ts'

const USAGE = 'npm run copy-scans [-- --back]'
/** A line of progress so often at most */
const TELL_MS = 5_000
/** The most days that are named */
const DAYS_NAMED = 10

const dateOf = (quarter: number) => isoOfQuarter(quarter).slice(0, 10)
const number = new Intl.NumberFormat('en-US')

let told = performance.now()
function tell(quarter: number, scans: number) {
  if (performance.now() - told < TELL_MS) return
  told = performance.now()
  console.log(`${dateOf(quarter)}: ${number.format(scans)} scans so far`)
}

function report(counted: Counted[]) {
  const row = (...cells: string[]) => console.log(cells.map((cell) => cell.padStart(16)).join(''))
  row('month', 'PostgreSQL', 'ClickHouse')
  for (const [month, some] of Map.groupBy(counted, ({ quarter }) => dateOf(quarter).slice(0, 7))) {
    const sum = (side: 'ledger' | 'clickhouse') =>
      number.format(some.reduce((all, each) => all + each[side], 0))
    row(month, sum('ledger'), sum('clickhouse'))
  }
  const different = [...new Set(counted.filter(differs).map(({ quarter }) => dateOf(quarter)))]
  if (different.length === 0) return
  const rest = different.length > DAYS_NAMED ? ` and ${different.length - DAYS_NAMED} more` : ''
  fail(
    `Not the same: ${different.slice(0, DAYS_NAMED).join(', ')}${rest}. While the service runs, scans come in. Run it again`,
  )
}

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

const options = { back: { type: 'boolean', default: false } } as const
const { values, positionals } = readArguments(options, USAGE)
if (positionals.length > 0) fail(USAGE)

async function copyScans(): Promise<void> {
  const config = readConfig(process.env)
  const place = config.scans
  if (!place)
    throw new ConfigError(
      'Set SCANS_URL to the ClickHouse, for this command alone until all is there',
    )
  const counted = await onDatabase(config, async (database) => {
    await prepareScans(database)
    const clickhouse = new ClickHouse(place)
    const copy: Copy = { database, clickhouse, signal: stop.signal, onBatch: tell }
    const copying = values.back ? copyToLedger(copy) : copyToClickHouse(copy)
    return copying.finally(() => clickhouse.close())
  })
  report(counted)
  const way = values.back ? 'without' : 'with'
  console.log(
    `Both have the same. Once the service is stopped and this says so again, start it ${way} SCANS_URL`,
  )
}

const stopped = () => stop.signal.aborted && fail('Stopped before the end. Run it again to go on')
await runCommand(() => copyScans().catch((error) => stopped() || Promise.reject(error)), 'Failed')
