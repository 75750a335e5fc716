import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { FIRST_COMPLETE_DAY, setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { engines, newPlace } from '../support/engines.ts'
import { countedFrom, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { printCodes } from '../support/printed-code.ts'
import { addRows } from '../support/rows.ts'
import { runScript, runScriptHere } from '../support/script.ts'
import { databaseForBlock } from '../support/test-database.ts'

describe.each(engines)('rebuild-rollups on %s', (engine) => {
  const database = databaseForBlock(engine)
  beforeAll(() => past(60))

  /** Two years of scans of four codes by five visitors. */
  async function past(count: number) {
    const codes = await printCodes(database.db, 4)
    const start = Date.UTC(2024, 0, 1)
    const scans = Array.from({ length: count }, (_, n): PastScan => {
      const code_id = codes[n % 4]?.id as string
      const at = start + Math.floor((n * 7_919_000_003) % (700 * DAY_MS))
      const scanClass = n % 7 === 0 ? 'bot' : 'person'
      const country = ['DE', 'FR', null][n % 3]
      return { code_id, at, class: scanClass, country, visitor: `v${n % 5}` }
    })
    await recordPast(database.location, scans)
  }

  /** Changes, removes and invents rows of the rollups. */
  async function corrupt() {
    const { db } = database
    await sql`update scan_counts set persons = persons + 3, firsts = 0 where quarter % 3 = 0`.execute(
      db,
    )
    await sql`delete from scan_counts where quarter % 3 = 1`.execute(db)
    await sql`update scan_facets set persons = 99 where day % 2 = 0`.execute(db)
    await sql`delete from scan_facets where facet = 'country'`.execute(db)
    const facet = { code_id: 'zzz-gone', day: 20_000, facet: 'os', value: 'BeOS', persons: 4 }
    await addRows(db, 'scan_facets', facet)
    const count = { code_id: '0-gone', quarter: 2_000_000, persons: 1, firsts: 1, others: 1 }
    await addRows(db, 'scan_counts', count)
  }

  const rollups = () => rollupsOf(database.db)
  const counted = async () => countedFrom(await ledgerOf(database))

  test('restores every number exactly, and then has nothing to do', async () => {
    const whole = await rollups()
    expect(whole).toEqual(await counted())
    await corrupt()
    expect(await rollups()).not.toEqual(whole)
    expect((await rebuildRollups(database)).changed).toBeGreaterThan(100)
    expect(await rollups()).toEqual(whole)
    expect((await rebuildRollups(database)).changed).toBe(0)
  })

  test('restores first visits', async () => {
    const { db } = database
    const whole = await ledgerOf(database)
    await sql`update scans set first = 0 where code_id = ${whole[0]?.code_id}`.execute(db)
    await sql`update scans set first = 1 where code_id <> ${whole[0]?.code_id}`.execute(db)
    await rebuildRollups(database)
    expect(await ledgerOf(database)).toEqual(whole)
    expect(await rollups()).toEqual(await counted())
  })

  test('leaves the days alone whose ledger is not whole', async () => {
    const { db } = database
    const whole = await rollups()
    const days = (await ledgerOf(database)).map(({ at }) => Math.floor(at / DAY_MS))
    const first = days[Math.floor(days.length / 2)] as number
    const kept = await db
      .selectFrom('scans')
      .selectAll()
      .where('at', '<', first * DAY_MS)
      .execute()
    await sql`delete from scans where at < ${first * DAY_MS}`.execute(db)
    await setMark(db, FIRST_COMPLETE_DAY, first)
    await rebuildRollups(database)
    expect(await rollups()).toEqual(whole)
    await db.insertInto('scans').values(kept).execute()
    await db.deleteFrom('ledger_marks').where('name', '=', FIRST_COMPLETE_DAY).execute()
  })

  test('is a command that reads the environment like the server', async () => {
    await corrupt()
    const { stdout } = await runScript('rebuild-rollups', database)
    expect(stdout).toMatch(/^Rollups rebuilt from the ledger; days: \d+, numbers mended: \d+\n$/)
    expect(await rollups()).toEqual(await counted())
  })
})

test('rebuild-rollups makes no database where there is none', async () => {
  const place = await newPlace('sqlite', { empty: true })
  await expect(runScriptHere('rebuild-rollups', place)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATA_DIR holds no database'),
  })
  await place.remove()
})
