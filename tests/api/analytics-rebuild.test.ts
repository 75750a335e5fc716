import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { rebuildRollups } from '../../src/server/analytics/ledger/rebuild.ts'
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
  beforeEach(async () => {
    place = await newPlace(engine)
    service = await startService(place)
  })
  afterEach(async () => {
    await service.stop()
    await place.remove()
  })

  /** Years of scans of several codes by several visitors. */
  async function past(count: number) {
    const codes = await printCodes(service.database.db, 4)
    const start = Date.UTC(2024, 0, 1)
    const scans = Array.from({ length: count }, (_, n): PastScan => {
      const code_id = codes[n % 4]?.id as string
      const at = start + Math.floor((n * 7_919_000_003) % (700 * 86_400_000))
      const scanClass = n % 7 === 0 ? 'bot' : 'person'
      const country = ['DE', 'FR', null][n % 3]
      return { code_id, at, class: scanClass, country, visitor: `v${n % 5}` }
    })
    await recordPast(place.location, scans)
  }

  /** What no bug of ours should do: rows changed, lost, and made up. */
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

  test.each([1, 37, 10_000])(
    'restores every number exactly, in steps of %i rows',
    async (stepRows) => {
      await past(200)
      const whole = await rollupsOf(service.database.db)
      expect(whole).toEqual(countedFrom(await ledgerOf(service.database.db)))
      await corrupt()
      expect(await rollupsOf(service.database.db)).not.toEqual(whole)
      expect(await rebuildRollups(service.database, stepRows)).toBe(6)
      expect(await rollupsOf(service.database.db)).toEqual(whole)
      await rebuildRollups(service.database, stepRows)
      expect(await rollupsOf(service.database.db)).toEqual(whole)
    },
  )

  test('misses and doubles no scan while the service goes on', async () => {
    const codes = await printCodes(service.database.db, 4)
    const crowd = new Crowd('meanwhile')
    crowd.start(codes.map(({ key }) => `${service.origin}/qr/${key}`))
    await eventually(() => crowd.answered.length > 20)
    for (let round = 0; round < times(8, 40); round++) await rebuildRollups(service.database, 50)
    await crowd.stop()
    await eventually(() => service.capture.recorder.backlog === 0)
    const ledger = await ledgerOf(service.database.db)
    expect(ledger).toHaveLength(crowd.answered.length)
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  })

  test('lets no scan in between two statements of a step', async () => {
    if (engine === 'postgres') await dawdleAfterDelete()
    const [code] = await printCodes(service.database.db, 1)
    const codeId = code?.id as string
    // Only a rollup knows the code: its first scan comes while the step is at work.
    const wrong = { code_id: codeId, day: 20_000, facet: 'os', value: 'BeOS', persons: 4 }
    await service.database.db.insertInto('scan_facets').values(wrong).execute()
    const rebuilding = rebuildRollups(service.database)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await visit(`${service.origin}/qr/${code?.key}`)
    await rebuilding
    await eventually(() => service.capture.recorder.backlog === 0)
    const ledger = await ledgerOf(service.database.db)
    expect(ledger).toHaveLength(1)
    expect(await rollupsOf(service.database.db)).toEqual(countedFrom(ledger))
  })

  /** Makes the gap wide that is otherwise too narrow to be hit. */
  async function dawdleAfterDelete() {
    const { db } = service.database
    await sql`create function dawdle() returns trigger language plpgsql
      as 'begin perform pg_sleep(0.5); return null; end'`.execute(db)
    await sql`create trigger dawdling after delete on scan_counts
      for each statement execute function dawdle()`.execute(db)
  }

  test('is a command that reads the environment like the server', async () => {
    await past(40)
    const whole = await rollupsOf(service.database.db)
    await corrupt()
    const { location, dataDir } = place
    const environment: Record<string, string> =
      location.engine === 'postgres'
        ? { DATABASE_URL: location.url, SESSION_SECRET: 'x'.repeat(32) }
        : {}
    const env = { ...process.env, DATA_DIR: dataDir, ...environment }
    const { stdout } = await run('node', ['scripts/rebuild-rollups.ts'], { cwd: ROOT, env })
    expect(stdout).toBe('Rollups rebuilt from the ledger; codes: 6\n')
    expect(await rollupsOf(service.database.db)).toEqual(whole)
  })
})

test('rebuild-rollups makes no database where there is none', async () => {
  const place = await newPlace('sqlite')
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
