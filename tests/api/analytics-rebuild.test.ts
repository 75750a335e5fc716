import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { rebuildRollups } from '../../src/server/analytics/ledger/rebuild.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedFrom, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { printCodes } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { times } from '../support/soak.ts'
import { Crowd, visit } from '../support/visitors.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe.each(engines)('rebuild-rollups on %s', (engine) => {
  let place: Place
  let service: Service
  beforeAll(async () => {
    place = await newPlace(engine)
    service = await startService(place)
    await past(60)
  })
  afterAll(async () => {
    await service.stop()
    await place.remove()
  })

  /** Two years of scans of four codes by five visitors. */
  async function past(count: number) {
    const codes = await printCodes(service.database.db, 4)
    const start = Date.UTC(2024, 0, 1)
    const scans = Array.from({ length: count }, (_, n): PastScan => {
      const code_id = codes[n % 4]?.id as string
      const at = start + Math.floor((n * 7_919_000_003) % (700 * DAY_MS))
      const scanClass = n % 7 === 0 ? 'bot' : 'person'
      const country = ['DE', 'FR', null][n % 3]
      return { code_id, at, class: scanClass, country, visitor: `v${n % 5}` }
    })
    await recordPast(place.location, scans)
  }

  /** Changes, removes and invents rows of the rollups. */
  async function corrupt() {
    const { db } = service.database
    await sql`update scan_counts set persons = persons + 3, firsts = 0 where quarter % 3 = 0`.execute(
      db,
    )
    await sql`delete from scan_counts where quarter % 3 = 1`.execute(db)
    await sql`update scan_facets set persons = 99 where day % 2 = 0`.execute(db)
    await sql`delete from scan_facets where facet = 'country'`.execute(db)
    await db
      .insertInto('scan_facets')
      .values({ code_id: 'zzz-gone', day: 20_000, facet: 'os', value: 'BeOS', persons: 4 })
      .execute()
    await db
      .insertInto('scan_counts')
      .values({ code_id: '0-gone', quarter: 2_000_000, persons: 1, firsts: 1, others: 1 })
      .execute()
  }

  const rollups = () => rollupsOf(service.database.db)
  const counted = async () => countedFrom(await ledgerOf(service.database.db))

  test.each([1, 7, 10_000])(
    'restores every number exactly, in steps of %i rows',
    async (stepRows) => {
      const whole = await rollups()
      expect(whole).toEqual(await counted())
      await corrupt()
      expect(await rollups()).not.toEqual(whole)
      expect(await rebuildRollups(service.database, stepRows)).toBe(6)
      expect(await rollups()).toEqual(whole)
      await rebuildRollups(service.database, stepRows)
      expect(await rollups()).toEqual(whole)
    },
  )

  test('is a command that reads the environment like the server', async () => {
    await corrupt()
    const { location, dataDir } = place
    const environment: Record<string, string> =
      location.engine === 'postgres'
        ? { DATABASE_URL: location.url, SESSION_SECRET: 'x'.repeat(32) }
        : {}
    const env = { ...process.env, DATA_DIR: dataDir, ...environment }
    const { stdout } = await run('node', ['scripts/rebuild-rollups.ts'], { cwd: ROOT, env })
    expect(stdout).toBe('Rollups rebuilt from the ledger; codes: 6\n')
    expect(await rollups()).toEqual(await counted())
  })

  test('lets no scan in between two statements of a step', async () => {
    const { db } = service.database
    if (engine === 'postgres') await sleepAfterDelete()
    const [code] = await printCodes(db, 1)
    // Only a rollup knows the code: its first scan comes while the step runs.
    const wrong = { code_id: code?.id as string, day: 20_000, facet: 'os', value: 'x', persons: 4 }
    await db.insertInto('scan_facets').values(wrong).execute()
    const rebuilding = rebuildRollups(service.database)
    if (engine === 'postgres') await eventually(isAsleep)
    await visit(`${service.origin}/qr/${code?.key}`)
    await rebuilding
    await allCounted(service)
    const ledger = await ledgerOf(db)
    expect(ledger.filter((row) => row.code_id === code?.id)).toHaveLength(1)
    expect(await rollups()).toEqual(countedFrom(ledger))
    if (engine === 'postgres') await sql`drop function sleep_a_while() cascade`.execute(db)
  })

  /** Makes each step long enough for a scan to come in the middle of it. */
  async function sleepAfterDelete() {
    const { db } = service.database
    await sql`create function sleep_a_while() returns trigger language plpgsql
      as 'begin perform pg_sleep(0.1); return null; end'`.execute(db)
    await sql`create trigger sleeping after delete on scan_counts
      for each statement execute function sleep_a_while()`.execute(db)
  }

  async function isAsleep(): Promise<boolean> {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event = 'PgSleep'`.execute(service.database.db)
    return rows.length > 0
  }

  test('misses and doubles no scan while the service goes on', async () => {
    const codes = await printCodes(service.database.db, 4)
    const crowd = new Crowd('live')
    crowd.start(codes.map(({ key }) => `${service.origin}/qr/${key}`))
    await eventually(() => crowd.answered.length > 20)
    for (let round = 0; round < times(4, 40); round++) await rebuildRollups(service.database, 50)
    await crowd.stop()
    await allCounted(service)
    const ledger = await ledgerOf(service.database.db)
    expect(ledger.filter((row) => crowd.includes(row.text ?? ''))).toHaveLength(
      crowd.answered.length,
    )
    expect(await rollups()).toEqual(countedFrom(ledger))
  })
})

test('rebuild-rollups makes no database where there is none', async () => {
  const place = await newPlace('sqlite', { empty: true })
  const env = { ...process.env, DATA_DIR: place.dataDir }
  const failure = await run('node', ['scripts/rebuild-rollups.ts'], { cwd: ROOT, env }).catch(
    (error: { code: number; stderr: string }) => error,
  )
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATA_DIR holds no database'),
  })
  await place.remove()
})
