import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { FIRST_COMPLETE_DAY, setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import { RepairRefused, rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { fillTotals } from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { countedFrom, countedLedger, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { printCodes } from '../support/printed-code.ts'
import { type Service, startService } from '../support/service.ts'
import { times } from '../support/soak.ts'
import { Crowd } from '../support/visitors.ts'

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

  test('restores every number exactly, and then has nothing to do', async () => {
    const whole = await rollups()
    expect(whole).toEqual(await counted())
    await corrupt()
    expect(await rollups()).not.toEqual(whole)
    expect((await rebuildRollups(service.database)).changed).toBeGreaterThan(100)
    expect(await rollups()).toEqual(whole)
    expect((await rebuildRollups(service.database)).changed).toBe(0)
  })

  test('restores first visits', async () => {
    const { db } = service.database
    const whole = await ledgerOf(db)
    await sql`update scans set first = 0 where code_id = ${whole[0]?.code_id}`.execute(db)
    await sql`update scans set first = 1 where code_id <> ${whole[0]?.code_id}`.execute(db)
    await rebuildRollups(service.database)
    expect(await ledgerOf(db)).toEqual(whole)
    expect(await rollups()).toEqual(await counted())
  })

  test('gives codes that it changes new totals', async () => {
    const { db } = service.database
    const now = new Date('2026-01-01T00:00:00Z')
    const sums = () => db.selectFrom('scan_totals').selectAll().orderBy('code_id').orderBy('month')
    await fillTotals(service.database, now)
    const whole = await sums().execute()
    await corrupt()
    await db.deleteFrom('totalled_codes').execute()
    await db.deleteFrom('ledger_marks').execute()
    await fillTotals(service.database, now)
    expect(await sums().execute()).not.toEqual(whole)
    await rebuildRollups(service.database)
    await db.deleteFrom('ledger_marks').execute()
    await fillTotals(service.database, now)
    const codes = new Set((await ledgerOf(db)).map(({ code_id }) => code_id))
    expect((await sums().execute()).filter(({ code_id }) => codes.has(code_id))).toEqual(whole)
  })

  test('leaves the days alone whose ledger is not whole', async () => {
    const { db } = service.database
    const whole = await rollups()
    const days = (await ledgerOf(db)).map(({ at }) => Math.floor(at / DAY_MS))
    const first = days[Math.floor(days.length / 2)] as number
    const kept = await db
      .selectFrom('scans')
      .selectAll()
      .where('at', '<', first * DAY_MS)
      .execute()
    await db
      .deleteFrom('scans')
      .where('at', '<', first * DAY_MS)
      .execute()
    await setMark(db, FIRST_COMPLETE_DAY, first)
    await rebuildRollups(service.database)
    expect(await rollups()).toEqual(whole)
    await db.insertInto('scans').values(kept).execute()
    await db.deleteFrom('ledger_marks').where('name', '=', FIRST_COMPLETE_DAY).execute()
  })

  test('is refused while another one runs', async () => {
    const first = rebuildRollups(service.database)
    await eventually(async () => (await leases()).length > 0)
    await expect(rebuildRollups(service.database)).rejects.toThrow(RepairRefused)
    await first
    expect(await leases()).toEqual([])
  })

  const leases = () =>
    service.database.db
      .selectFrom('job_leases')
      .select('name')
      .where('name', '=', 'rebuild-rollups')
      .execute()

  test('is a command that reads the environment like the server', async () => {
    await corrupt()
    const { location, dataDir } = place
    const environment: Record<string, string> =
      location.engine === 'postgres'
        ? { DATABASE_URL: location.url, SESSION_SECRET: 'x'.repeat(32) }
        : {}
    const env = { ...process.env, DATA_DIR: dataDir, ...environment }
    const { stdout } = await run('node', ['scripts/rebuild-rollups.ts'], { cwd: ROOT, env })
    expect(stdout).toMatch(/^Rollups rebuilt from the ledger; days: \d+, numbers mended: \d+\n$/)
    expect(await rollups()).toEqual(await counted())
  })

  test('misses and doubles no scan while the service goes on', async () => {
    const codes = await printCodes(service.database.db, 4)
    const crowd = new Crowd('live')
    crowd.start(codes.map(({ key }) => `${service.origin}/qr/${key}`))
    await eventually(() => crowd.answered.length > 20)
    for (let round = 0; round < times(1, 40); round++) await rebuildRollups(service.database)
    await crowd.stop()
    await allCounted(service)
    const ledger = await countedLedger(service.database)
    const ids = new Set(codes.map(({ id }) => id))
    expect(ledger.filter(({ code_id }) => ids.has(code_id))).toHaveLength(crowd.answered.length)
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
