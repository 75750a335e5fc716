import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { forgetScans } from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { ledgerUpkeep } from '../../src/server/analytics/store/upkeep/upkeep.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { transact } from '../../src/server/database/transact.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { TestClock } from '../support/test-clock.ts'

const NOW = '2026-03-05T10:00:00Z'
const MONTHS = 13

describe.each(engines)('the upkeep of the ledger on %s', (engine) => {
  let place: Place
  let database: Database
  let clock: TestClock
  beforeEach(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
    clock = new TestClock()
    clock.set(NOW)
  })
  afterEach(async () => {
    await database.close()
    await place.remove()
  })

  const scan = (daysAgo: number, change: Partial<PastScan> = {}): PastScan => ({
    code_id: 'menu',
    at: Date.parse(NOW) - daysAgo * DAY_MS,
    ...change,
  })
  const record = (...scans: PastScan[]) => recordPast(place.location, scans)
  const upkeep = (retentionMonths: number | undefined = MONTHS) =>
    ledgerUpkeep({ database, clock: clock.now, retentionMonths })
  /** A run has two seconds: on a busy machine it does not come to all its steps. */
  async function runThrough(job = upkeep()) {
    for (let runs = 0; runs < 8; runs++) await job.run()
  }
  const codesOf = async () => (await ledgerOf(database.db)).map(({ code_id }) => code_id)

  test('a purged code goes from the ledger, the numbers and the totals, and no other does', async () => {
    const many = Array.from({ length: 4_500 }, (_, n) =>
      scan(n / 1_000, { code_id: n % 3 ? 'gone' : 'kept', visitor: `v${n % 7}` }),
    )
    await record(...many)
    const job = upkeep()
    await job.run()
    await transact(database.db, (tx) => forgetScans(tx, [{ id: 'gone', userId: 'ada' }]))
    await eventually(async () => {
      await job.run()
      return (await database.db.selectFrom('forgotten_codes').selectAll().execute()).length === 0
    })
    expect(new Set(await codesOf())).toEqual(new Set(['kept']))
    for (const table of ['scan_totals', 'facet_totals', 'scan_counts', 'visitors'] as const) {
      const rows = await database.db.selectFrom(table).select('code_id').distinct().execute()
      expect(rows).toEqual([{ code_id: 'kept' }])
    }
  })

  test('a walk that a restart cuts off goes on where it was', async () => {
    await record(...Array.from({ length: 2_500 }, (_, n) => scan(n / 100, { code_id: 'gone' })))
    await transact(database.db, (tx) => forgetScans(tx, [{ id: 'gone', userId: 'ada' }]))
    for (let restart = 0; restart < 3; restart++) await upkeep().run()
    expect(await codesOf()).toEqual([])
  })

  test('scans of months before the last thirteen go, and their numbers stay', async () => {
    await record(scan(0), scan(392), scan(394), scan(800))
    const before = await rollupsOf(database.db)
    await runThrough()
    const first = Date.parse('2025-02-01T00:00:00Z')
    const ledger = await ledgerOf(database.db)
    expect(ledger).toHaveLength(3)
    expect(ledger.every(({ at }) => at >= first)).toBe(true)
    await rebuildRollups(database)
    expect(await rollupsOf(database.db)).toEqual(before)
  })

  test('with SCAN_RETENTION=forever none goes', async () => {
    await record(scan(0), scan(5_000))
    await ledgerUpkeep({ database, clock: clock.now, retentionMonths: undefined }).run()
    expect(await codesOf()).toHaveLength(2)
  })

  test('a User-Agent goes a week after no scan has it any more', async () => {
    await record(
      scan(0, { agent: 'used' }),
      scan(300, { agent: 'old' }),
      scan(300, { agent: 'back' }),
    )
    await sql`delete from scans where at < ${Date.parse(NOW) - DAY_MS}`.execute(database.db)
    const agents = async () =>
      (await database.db.selectFrom('agents').select('text').orderBy('text').execute()).map(
        ({ text }) => text,
      )
    const job = upkeep()
    await runThrough(job)
    expect(await agents()).toEqual(['back', 'old', 'used'])
    await record(scan(0, { agent: 'back' }))
    clock.advance(6 * DAY_MS)
    await runThrough(job)
    expect(await agents()).toEqual(['back', 'old', 'used'])
    clock.advance(2 * DAY_MS)
    await runThrough(job)
    expect(await agents()).toEqual(['back', 'used'])
  })
})
