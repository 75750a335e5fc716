import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { Hashing } from './accounts/passwords/hashing.ts'
import { sessionSecret } from './accounts/sessions/session-secret.ts'
import { openCapture } from './analytics/record/capture.ts'
import { journalCheck } from './analytics/record/journal/journal-checks.ts'
import { openScans, prepareScans, scansChecks } from './analytics/store/open-store.ts'
import { buildApp } from './app.ts'
import { systemClock } from './clock.ts'
import { resolveEarly } from './codes/resolve-paths.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { keepPrivate } from './data-folder.ts'
import { connect, locationOf } from './database/connect.ts'
import { markDatabase, refuseEmptyStart } from './database/empty-start.ts'
import { isDatabaseDown } from './database/faults.ts'
import { migrate } from './database/migrate.ts'
import { refuseOtherMode } from './database/payment-mode.ts'
import { refuseStart } from './database/schema-version.ts'
import { quickChecks } from './doctor/checks.ts'
import { logFindings } from './doctor/finding.ts'
import { WaitingServer } from './http/waiting-server.ts'
import { createLog } from './log.ts'
import { readPages } from './pages/pages.ts'
import { earlyRedirect } from './redirects/early-redirect.ts'

/*
 * The process: reads the environment, builds the service, listens, and stops it in order.
 * No other file of the server touches `process`.
 */

const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url))

/** New files are for the service alone. */
const PRIVATE = 0o077

/** How long requests in flight may take once the process gets the signal to end. */
const STOP_PATIENCE_MS = 10_000

async function run(config: Config, log: Logger) {
  // Before it is ready it ends at once: a migration is undone, and scans are on disk.
  let end = async () => {}
  endAtSignal(log, () => end())
  process.umask(PRIVATE)
  keepPrivate(config.dataDir, (message) => log.warn(message))
  const pages = readPages(CLIENT_DIR, config)
  const waiting = await WaitingServer.listen(config)
  const database = connect(locationOf(config), (error) => {
    log.warn({ err: error }, 'a database connection was lost')
  })
  await refuseEmptyStart(database, config)
  await refuseStart(database.db)
  const secret = sessionSecret(config)
  const hashing = new Hashing()
  const capture = await openCapture({
    database,
    clock: systemClock,
    log,
    dataDir: config.dataDir,
    processId: process.pid,
    config,
  })
  if (database.location.engine === 'sqlite') {
    const resolve = (key: string) => resolveEarly(database.lookups, key)
    waiting.answerEarly(earlyRedirect({ config, clock: systemClock, recorder: capture, resolve }))
  }
  await migrate(database, log)
  await prepareScans(database).catch((error) => {
    if (!isDatabaseDown(error)) throw error
    log.error({ err: error }, 'scans wait in the journal for ClickHouse')
  })
  await refuseOtherMode(database.db, config)
  markDatabase(database, config)
  await capture.start()

  const { server, jobs } = await buildApp({
    config,
    database,
    clock: systemClock,
    log,
    secret,
    hashing,
    capture,
    pages,
  })
  await waiting.handOver(server)
  jobs.start()
  sayAddress(config, log)
  const journals = { db: database.reads, dataDir: config.dataDir, clock: systemClock }
  const { newest } = openScans(database, { clock: systemClock })
  const quick = quickChecks({ config, database, clock: systemClock, newestScan: newest })
  const more = [journalCheck(journals), ...scansChecks(database.location, systemClock)]
  void logFindings([...quick, ...more], log)

  end = async () => {
    // A client that does not read its answer must not delay the stop.
    const patience = setTimeout(() => server.server.closeAllConnections(), STOP_PATIENCE_MS)
    await server.close()
    clearTimeout(patience)
    await database.close()
  }
}

/** Ends the process in order at the first signal to end. */
function endAtSignal(log: Logger, end: () => Promise<void>) {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, async () => {
      log.info({ signal }, 'stopping')
      try {
        await end()
        log.info('stopped')
        process.exit(0)
      } catch (error) {
        log.fatal({ err: error }, 'the stop failed')
        process.exit(1)
      }
    })
  }
}

/** One plain line at a terminal; elsewhere a log record like the others. */
function sayAddress(config: Config, log: Logger) {
  if (process.stdout.isTTY) process.stdout.write(`Tessera is running at ${config.publicUrl}\n`)
  else log.info({ address: config.publicUrl }, `Tessera is running at ${config.publicUrl}`)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    process.exit(1)
  })
  await run(config, log)
} catch (error) {
  if (error instanceof ConfigError) fail(error.message)
  fail(`Tessera could not start: ${(error as Error).message}`)
}
