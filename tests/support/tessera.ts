import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { authMigrations, createAuth } from '../../src/server/accounts/auth.ts'
import { Capture } from '../../src/server/analytics/capture.ts'
import { type App, buildApp } from '../../src/server/app.ts'
import type { Clock } from '../../src/server/clock.ts'
import { type Config, readConfig } from '../../src/server/config.ts'
import { connect, type Database, type Engine } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { readPages } from '../../src/server/pages.ts'
import { newPlace } from './engines.ts'

/** A running service of a test's own: fresh database, real HTTP, a clock that the test can set. */
export type Tessera = {
  origin: string
  config: Config
  database: Database
  dataDir: string
  capture: Capture
  app: App
  clock: TestClock
  stop: () => Promise<void>
}

/** Runs with real time until a test sets or moves it. */
export class TestClock {
  #offset = 0
  readonly now: Clock = () => new Date(Date.now() + this.#offset)

  advance(milliseconds: number) {
    this.#offset += milliseconds
  }

  set(instant: string) {
    this.#offset = new Date(instant).getTime() - Date.now()
  }
}

type Options = { engine?: Engine; environment?: Record<string, string>; now?: string }

const CLIENT_DIR = fileURLToPath(new URL('../../dist/client', import.meta.url))
const SECRET = 'a secret that only the tests know'

export async function startTessera(options: Options = {}): Promise<Tessera> {
  const place = await newPlace(options.engine ?? 'sqlite')
  const port = await freePort()
  const config = readConfig({
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: place.dataDir,
    SESSION_SECRET: SECRET,
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
    ...(place.location.engine === 'postgres' ? { DATABASE_URL: place.location.url } : {}),
    ...options.environment,
  })
  const clock = new TestClock()
  if (options.now) clock.set(options.now)
  const log = pino({ level: config.logLevel })
  const database = connect(place.location, () => {})
  const settings = {
    database,
    publicUrl: config.publicUrl,
    secret: SECRET,
    signUp: config.signUp,
  }
  await migrate(database, authMigrations(settings))
  const capture = await Capture.start({
    database,
    clock: clock.now,
    log,
    dataDir: place.dataDir,
    processId: process.pid,
    geoipDatabase: config.geoipDatabase,
  })
  const app = await buildApp({
    config,
    database,
    clock: clock.now,
    log,
    auth: createAuth(settings),
    capture,
    pages: readPages(CLIENT_DIR),
  })
  await app.server.listen({ port, host: '127.0.0.1' })
  const stop = async () => {
    await app.server.close()
    await database.close()
    await place.remove()
  }
  return {
    origin: `http://localhost:${port}`,
    config,
    database,
    dataDir: place.dataDir,
    capture,
    app,
    clock,
    stop,
  }
}

/** A port that nobody listens on just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
