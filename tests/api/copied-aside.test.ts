import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { connect } from '../../src/server/database/connect.ts'
import { migrate } from '../../src/server/database/migrate.ts'
import { migrationsOf, newestKnown } from '../../src/server/database/schema-version.ts'
import { newPlace, type Place } from '../support/engines.ts'
import { runJobs } from '../support/jobs.ts'
import { startService } from '../support/service.ts'
import type { Tessera } from '../support/tessera.ts'
import { earlierPlace } from '../support/upgrade-fixture.ts'

const VERSION = '6dd2476'
const COPY = `tessera.sqlite.before-${newestKnown().slice(0, 3)}`

const copiesIn = ({ dataDir }: Place) =>
  readdirSync(dataDir).filter((name) => name.startsWith('tessera.sqlite.before-'))

async function oldPlace(): Promise<Place> {
  const place = await earlierPlace(VERSION, 'sqlite')
  onTestFinished(place.remove)
  return place
}

/** The migrations that a SQLite file has had */
async function migrationsIn(file: string): Promise<string[]> {
  const database = connect({ engine: 'sqlite', file }, () => {})
  return migrationsOf(database.db).finally(() => database.close())
}

async function upgrade({ location }: Place): Promise<void> {
  const database = connect(location, () => {})
  await migrate(database).finally(() => database.close())
}

test('an upgrade of SQLite leaves the database as it was beside it, for its owner alone, for a week', async () => {
  const place = await oldPlace()
  const file = join(place.dataDir, COPY)
  const before = await migrationsIn(join(place.dataDir, 'tessera.sqlite'))
  const broken = join(place.dataDir, `${COPY}.x.unfinished`)
  writeFileSync(broken, 'cut off')
  utimesSync(broken, new Date(0), new Date(0))
  const service = (await startService(place)) as Tessera
  onTestFinished(() => service.stop())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await migrationsIn(file)).toEqual(before)

  service.clock.advance(6 * DAY_MS)
  await runJobs(service)
  expect(copiesIn(place)).toContain(COPY)
  expect(existsSync(broken)).toBe(false)
  service.clock.advance(2 * DAY_MS)
  await runJobs(service)
  expect(copiesIn(place)).not.toContain(COPY)
})

test('a copy that is there from an upgrade before stays as it is', async () => {
  const place = await oldPlace()
  writeFileSync(join(place.dataDir, COPY), 'the first try’s')
  await upgrade(place)
  expect(readFileSync(join(place.dataDir, COPY), 'utf8')).toBe('the first try’s')
  expect(copiesIn(place)).toEqual([COPY])
})

test('a new database and one that is up to date are not copied', async () => {
  const place = await newPlace('sqlite', { empty: true })
  onTestFinished(place.remove)
  await upgrade(place)
  await upgrade(place)
  expect(copiesIn(place)).toEqual([])
})
