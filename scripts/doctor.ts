/**
 * `npm run doctor`: looks at settings, database, disk, clock, journals, ClickHouse, proxy, mail and payments, and
 * says what to do. It reads the environment like the server, changes nothing, and runs beside the
 * service or without it. `-- --json` prints JSON. It ends with 0, with 1 after a warning, with 2
 * after a problem.
 */
import { Kysely } from 'kysely'
import { MINUTE_MS } from '#contract/time.ts'
import { knownSecret } from '../src/server/accounts/sessions/session-secret.ts'
import { journalCheck } from '../src/server/analytics/record/journal/journal-checks.ts'
import { openScans, scansChecks } from '../src/server/analytics/store/open-store.ts'
import { systemClock as clock } from '../src/server/clock.ts'
import { type Config, readConfig } from '../src/server/config.ts'
import { connect, type Database, locationOf } from '../src/server/database/connect.ts'
import type { Db } from '../src/server/database/schema.ts'
import { sqliteDialect } from '../src/server/database/sqlite-dialect.ts'
import { quickChecks, slowChecks } from '../src/server/doctor/checks.ts'
import { type Check, examine, type Finding, levels } from '../src/server/doctor/finding.ts'
import { checkStripe } from './stripe/stripe-check.ts'

/** More than all their limits together */
const ALL_CHECKS_MS = 10 * MINUTE_MS

/** The database as a reader: SQLite's file is not made, and its settings stay. */
function openReader(config: Config): Database {
  const location = locationOf(config)
  if (location.engine === 'postgres') return connect(location, () => {})
  const db: Db = new Kysely({ dialect: sqliteDialect(location.file, { readonly: true }) })
  return { location, db, reads: db, lookups: db, close: () => db.destroy() }
}

function checksOf(config: Config): Check[] {
  const { dataDir, publicUrl, stripe } = config
  const database = openReader(config)
  const deps = { config, database, clock, newestScan: openScans(database, { clock }).newest }
  const checks = [
    ...quickChecks(deps),
    journalCheck({ db: database.reads, dataDir, clock, looksForEnded: true }),
    ...scansChecks(database.location, clock),
    ...slowChecks(deps, knownSecret(config) ?? ''),
  ]
  if (stripe) checks.push({ name: 'payments', look: () => checkStripe(stripe, publicUrl) })
  return checks
}

const lineOf = ({ name, level, found, todo }: Finding) =>
  `${level.padEnd(8)} ${name}: ${found}${todo ? `\n         ${todo}` : ''}`

// A setting that cannot be read is the only finding.
const look = () => examine(checksOf(readConfig(process.env)))
const findings = await examine([{ name: 'configuration', look, limitMs: ALL_CHECKS_MS }])
const isJson = process.argv.includes('--json')
console.log(isJson ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n'))
// A check that hangs must not hold up the end.
process.exit(Math.max(...findings.map(({ level }) => levels.indexOf(level))))
