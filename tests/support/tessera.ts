import { onTestFinished } from 'vitest'
import type { Engine } from '../../src/server/database/connect.ts'
import { newPlace, type Place } from './engines.ts'
import { forBlock } from './for-block.ts'
import { freePort } from './free-port.ts'
import { type Service, type ServiceOptions, startService } from './service.ts'
import { TestClock } from './test-clock.ts'

/** A running service of a test's own: fresh database, real HTTP, a clock that the test can set. */
export type Tessera = Service & { dataDir: string }

type Settings = Omit<ServiceOptions, 'dataDir' | 'location'>
type Options = Omit<Settings, 'clock'> & {
  /** Whether scan checks are made: those of saved codes would take half the time of most tests. */
  checks?: boolean
  engine?: Engine
  now?: string
}

const NO_CHECKS = { limits: { checks: { atOnce: 0, waiting: 0 } } }

export async function startTessera(options: Options = {}): Promise<Tessera> {
  const place = await newPlace(options.engine ?? 'sqlite')
  const clock = new TestClock()
  if (options.now) clock.set(options.now)
  const drawing = options.drawing ?? (options.checks ? {} : NO_CHECKS)
  const service = await startAt(place, { ...options, clock, drawing })
  const stop = () => service.stop().then(place.remove)
  return { ...service, stop }
}

/** Starts one on a place that is there, at an address of its own. The place stays when it stops. */
export async function startAt(
  { dataDir, location }: Pick<Place, 'dataDir' | 'location'>,
  options: Settings = {},
): Promise<Tessera> {
  const port = await freePort()
  const environment = { PORT: String(port), ...options.environment }
  const service = await startService({ ...options, dataDir, location, environment })
  return { ...service, origin: `http://localhost:${port}`, dataDir }
}

/** Starts another process on the place of a service. */
export function startAnother(
  { dataDir, database }: Tessera,
  options: Settings = {},
): Promise<Service> {
  return startService({ dataDir, location: database.location, ...options })
}

/** Runs one for the tests of a block. Its properties are there from `beforeAll` on. */
export function runTessera(options: Options = {}): Tessera {
  return forBlock(() => startTessera(options))
}

/** Runs one for the running test, at whose end it stops. */
export async function tesseraForTest(options: Options = {}): Promise<Tessera> {
  const tessera = await startTessera(options)
  onTestFinished(() => tessera.stop())
  return tessera
}
