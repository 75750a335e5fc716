import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { partitionStep } from '../../src/server/analytics/store/ledger/partitions.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { retentionStep } from '../../src/server/analytics/store/upkeep/upkeep.ts'
import { connect } from '../../src/server/database/connect.ts'
import { countedLedger, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast, scanFrom } from '../support/past-scans.ts'
import { times } from '../support/soak.ts'
import { databaseForEach } from '../support/test-database.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')

describe('the ledger in partitions', () => {
  const database = databaseForEach('postgres')

  const scan = (at: number): PastScan => ({ code_id: 'menu', at, agent: 'a' })
  const record = (...scans: PastScan[]) => recordPast(database.location, scans)
  async function partition(now = NOW) {
    while (await partitionStep(database, new Date(now)));
  }
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select inhrelid::regclass::text as name
      from pg_inherits where inhparent = 'scans'::regclass order by 1`.execute(database.db)
    return rows.map(({ name }) => name)
  }

  test('the table that stood is the first one, with all its scans', async () => {
    const rows = times(50_000, 5_000_000)
    await sql`insert into scans (id, code_id, at, class, rule, "first")
      select lpad('', 9 - length(t), '0') || t || lpad(n::text, 15, '0'), 'menu', ${NOW}::bigint, 'person', 'x', 0
      from (select n, 'm' || lpad(to_hex(n), 7, '0') as t from generate_series(1, ${sql.lit(rows)}) as n) as ids`.execute(
      database.db,
    )
    let longest = 0
    let going = true
    const writing = (async () => {
      for (let n = 0; going; n++) {
        const start = performance.now()
        const written = scan(NOW + n)
        // As the folding thread does: until it is taken.
        while (!(await record(written).then(() => true, isRefused('55P03'))));
        longest = Math.max(longest, performance.now() - start)
      }
    })()
    await partition()
    going = false
    await writing
    if (times(0, 1)) console.log(`a commit waited at most ${longest.toFixed(0)} ms`)
    expect(await names()).toEqual(['scans_2026_05', 'scans_default', 'scans_first'])
    const { rows: counted } = await sql<{ scans: number }>`
      select count(*) as scans from scans_first where rule = 'x'`.execute(database.db)
    expect(Number(counted[0]?.scans)).toBe(rows)
  })

  test('a scan is written once, whichever partition has it', async () => {
    const old = scanFrom(scan(NOW - 40 * DAY_MS))
    await record(old)
    await partition()
    const later = scanFrom(scan(NOW + 65 * DAY_MS))
    const astray = scanFrom(scan(NOW + 900 * DAY_MS))
    for (let round = 0; round < 2; round++) await record(old, later, astray)
    const ledger = await countedLedger(database)
    expect(ledger.map(({ id }) => id)).toEqual([old.id, later.id, astray.id])
    expect((await rebuildRollups(database)).changed).toBe(0)
  })

  test('scans of a clock that was ahead move to their month when it comes', async () => {
    await partition()
    const early = scanFrom(scan(NOW + 200 * DAY_MS))
    await record(early)
    await partition(NOW + 190 * DAY_MS)
    const { rows } = await sql<{ name: string }>`
      select tableoid::regclass::text as name from scans`.execute(database.db)
    expect(rows).toEqual([{ name: 'scans_2026_09' }])
  })

  test('a clock that is ahead at the beginning costs no scan', async () => {
    await record(scan(NOW), scan(NOW + 400 * DAY_MS))
    await partition()
    await record(scan(NOW + 500 * DAY_MS))
    expect(await ledgerOf(database)).toHaveLength(3)
  })

  test('processes whose clocks are far apart and their scans do not hinder one another', async () => {
    const days = [0, 65, 100, 400, 500]
    const clocks = [NOW, NOW, NOW + 400 * DAY_MS]
    const others = clocks.map(() => connect(database.location, () => {}))
    let going = true
    const scans: PastScan[] = []
    const writing = (async () => {
      for (let n = 0; going || n < 10; n++) {
        const scan = scanFrom({ code_id: 'menu', at: NOW + (days[n % 5] as number) * DAY_MS + n })
        scans.push(scan)
        // As the folding thread does: until it is taken.
        while (!(await record(scan).then(() => true, isRefused('23514'))));
      }
    })()
    const making = others.map(async (each, index) => {
      for (let step = 0; step < 12; step++) {
        await partitionStep(each, new Date(clocks[index] as number))
      }
    })
    await Promise.all(making)
    going = false
    await writing
    for (const each of others) await each.close()
    for (const now of clocks) await partition(now)
    expect((await names()).slice(-2)).toEqual(['scans_default', 'scans_first'])
    expect(await countedLedger(database)).toHaveLength(scans.length)
  })

  const isRefused = (expected: string) => (error: { code?: string }) => {
    expect(error.code).toBe(expected)
    return false
  }

  test('months that a clock was ahead of get their partitions when they come', async () => {
    await partition()
    await partition(NOW + 400 * DAY_MS)
    await partition(NOW + 61 * DAY_MS)
    expect(await names()).toEqual([
      ...['scans_2026_05', 'scans_2026_06', 'scans_2026_07'],
      ...['scans_2027_04', 'scans_2027_05', 'scans_2027_06', 'scans_default', 'scans_first'],
    ])
  })

  test('old months go as whole partitions, once all of their days are too old', async () => {
    await record(scan(NOW))
    await partition()
    await record(scan(NOW + 70 * DAY_MS))
    const retain = async (now: number) => {
      while (await retentionStep(database, new Date(now), 13));
    }
    await retain(NOW + 396 * DAY_MS)
    expect(await names()).toContain('scans_first')
    await partition(NOW + 470 * DAY_MS)
    await retain(NOW + 470 * DAY_MS)
    expect(await names()).not.toContain('scans_first')
    expect(await ledgerOf(database)).toHaveLength(1)
    await rebuildRollups(database)
    expect((await rollupsOf(database.db)).counts).toHaveLength(2)
  })
})
