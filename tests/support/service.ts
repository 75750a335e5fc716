import { fileURLToPath } from 'node:url'
import type { DestinationStream } from 'pino'
import { Hashing } from '../../src/server/accounts/passwords/hashing.ts'
import type { Derive } from '../../src/server/accounts/passwords/passwords.ts'
import {
  type Capture,
  type CaptureDeps,
  openCapture,
} from '../../src/server/analytics/record/capture.ts'
import { prepareScans } from '../../src/server/analytics/store/open-store.ts'
import { packsStep } from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { type App, type AppDeps, buildApp } from '../../src/server/app.ts'
import { type Config, readConfig } from '../../src/server/config.ts'
import { connect, type Database, type Location } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { createLog } from '../../src/server/log.ts'
import { readPages } from '../../src/server/pages/pages.ts'
import { quickKey } from './enrolment.ts'
import { STEP_LIMIT_MS, TEST_LIMIT_MS } from './limits.ts'
import { sharePictureProcess } from './shared-picture-process.ts'
import { TestClock } from './test-clock.ts'

/** One process of a service as a value: several may share a place and outlive each other. */
export type Service = {
  origin: string
  config: Config
  /** Signs the session cookies. */
  secret: string
  database: Database
  capture: Capture
  /** Tells the service of scans of these codes, as the folding thread does. */
  tellScanned: (codes: string[]) => void
  app: App
  clock: TestClock
  stop: () => Promise<void>
}

export type ServiceOptions = {
  dataDir: string
  /** How the service reaches its database. */
  location: Location
  clock?: TestClock
  environment?: Record<string, string>
  drawing?: AppDeps['drawing']
  /** How long the reader of people's pictures may take, if not as long as a step of a test */
  uploads?: AppDeps['uploads']
  stripe?: AppDeps['stripe']
  sending?: AppDeps['sending']
  asking?: AppDeps['asking']
  onRoute?: AppDeps['onRoute']
  /** How passwords are hashed, if not at the least cost */
  derive?: Derive | undefined
  journal?: CaptureDeps['journal']
  /** Whether `/` is the landing page as it was built, which is compressed for a third of a start. */
  hasLanding?: boolean | undefined
  /** Takes what is logged, a line a record. */
  logTo?: DestinationStream | undefined
}

const SECRET = 'a secret that only the tests know'
const BARE_LANDING = '<!doctype html><html lang="en"><title>Tessera</title>'
const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url))

sharePictureProcess()

export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDir, location, clock = new TestClock() } = options
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    SESSION_SECRET: SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    // No test asks servers of others.
    HEALTH_CHECKS: 'off',
    ...(location.engine === 'postgres'
      ? { DATABASE_URL: location.url, SCANS_URL: location.scans?.url }
      : {}),
    ...options.environment,
  })
  const log = options.logTo ? createLog('trace', options.logTo) : createLog(config.logLevel)
  const database = connect(location, () => {})
  const hashing = new Hashing(options.derive ?? quickKey)
  await migrate(database)
  await prepareScans(database)
  const capture = await openCapture({
    database,
    clock: clock.now,
    log,
    dataDir,
    processId: process.pid,
    config,
    journal: { segmentBytes: 512 * 1024, frameBytes: 64 * 1024, ...options.journal },
  })
  await capture.start()
  let tellScanned: Service['tellScanned'] = () => {}
  const { fold } = capture
  capture.fold = (onScanned) => {
    tellScanned = onScanned
    fold.call(capture, onScanned)
  }
  const pages = readPages(CLIENT_DIR, config)
  const app = await buildApp({
    config,
    database,
    clock: clock.now,
    log,
    capture,
    secret: SECRET,
    hashing,
    pages: options.hasLanding
      ? pages
      : { ...pages, html: { ...pages.html, landing: BARE_LANDING } },
    // On a busy machine a picture may take longer than it may in the service.
    drawing: { taskMs: TEST_LIMIT_MS, ...options.drawing },
    uploads: { startMs: STEP_LIMIT_MS, taskMs: STEP_LIMIT_MS, ...options.uploads },
    stripe: options.stripe,
    sending: options.sending,
    asking: options.asking,
    onRoute: options.onRoute,
    // A thread starts in a second, and the upkeep then rests as long.
    keepPacks: (now) => packsStep(database, now),
  })
  const origin = await app.server.listen({ port: config.port, host: config.host })
  const stop = async () => {
    await app.server.close()
    await database.close()
  }
  return {
    origin,
    config,
    secret: SECRET,
    database,
    capture,
    tellScanned,
    app,
    clock,
    stop,
  }
}
