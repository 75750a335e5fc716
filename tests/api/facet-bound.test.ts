import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { topFacets } from '../../src/server/analytics/store/count/rollups.ts'
import { ROWS_UNSEEN_MAX } from '../../src/server/analytics/store/fold/facet-limiter.ts'
import { FoldingLedger, openTables } from '../../src/server/analytics/store/fold/folding-ledger.ts'
import { foldScanOf, ScanKinds } from '../../src/server/analytics/store/fold-scan.ts'
import { FACET_VALUES_MAX, REST } from '../../src/server/analytics/store/ledger/facet-bound.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { fillTotals } from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import { engines } from '../support/engines.ts'
import { rollupsOf } from '../support/ledger.ts'
import { type PastScan, scanFrom } from '../support/past-scans.ts'
import { rowsOf } from '../support/rows.ts'
import { databaseForEach } from '../support/test-database.ts'

const NOON = Date.parse('2026-03-05T12:00:00Z')
const VALUES = 2_000
const A_BATCH = 150

describe.each(engines)('facets with very many values on %s', (engine) => {
  const database = databaseForEach(engine)
  let ledgers: FoldingLedger[]
  beforeEach(async () => {
    ledgers = [newLedger(), newLedger()]
  })
  afterEach(async () => {
    for (const ledger of ledgers) ledger.close()
  })

  const newLedger = () =>
    new FoldingLedger({ open: () => openTables(database.location), keepRefused: () => {} })

  /** Folds scans in small batches, which these processes do in turn. */
  async function fold(scans: PastScan[], processes: FoldingLedger[]) {
    const kinds = new ScanKinds()
    for (let from = 0; from < scans.length; from += A_BATCH) {
      const batch = scans.slice(from, from + A_BATCH)
      const ledger = processes[(from / A_BATCH) % processes.length] as FoldingLedger
      await ledger.add(batch.map((scan) => foldScanOf(scanFrom(scan), kinds)))
    }
  }

  const flood = (count = VALUES): PastScan[] =>
    Array.from({ length: count }, (_, n) => ({
      code_id: 'menu',
      at: NOON + n,
      agent: 'agent',
      visitor: null,
      referrer: `${(n * 7_919) % VALUES}.example`,
      country: `land ${n % VALUES}`,
    }))

  const sumOf = (rows: { persons: number }[]) =>
    rows.reduce((sum, { persons }) => sum + Number(persons), 0)

  const stored = async (facet: string) => {
    const rows = await rowsOf(database.db, 'scan_facets', { facet })
    const named = rows.filter(({ value }) => value !== REST)
    const rest = rows.filter(({ value }) => value === REST)
    return { named: named.length, rest: sumOf(rest), sum: sumOf(rows) }
  }

  test('have 500 of them on a day, and the others together; the sum is exact', async () => {
    const [ledger] = ledgers as [FoldingLedger]
    await fold(flood(), [ledger])
    for (const facet of ['referrer', 'country']) {
      expect(await stored(facet)).toEqual({
        named: FACET_VALUES_MAX,
        rest: VALUES - FACET_VALUES_MAX,
        sum: VALUES,
      })
    }
    // A value that has a name keeps it, and each day has its own names.
    await fold([...flood(), ...flood().map((scan) => ({ ...scan, at: NOON + DAY_MS }))], [ledger])
    expect(await stored('referrer')).toEqual({
      named: 2 * FACET_VALUES_MAX,
      rest: 3 * (VALUES - FACET_VALUES_MAX),
      sum: 3 * VALUES,
    })
    expect(await stored('device')).toEqual({ named: 2, rest: 0, sum: 3 * VALUES })
  })

  test('are bounded although several processes write them', async () => {
    await fold([...flood(), ...flood()], ledgers)
    const { named, sum } = await stored('referrer')
    expect(named).toBeGreaterThanOrEqual(FACET_VALUES_MAX)
    expect(named).toBeLessThanOrEqual(FACET_VALUES_MAX + ROWS_UNSEEN_MAX)
    expect(sum).toBe(2 * VALUES)
  })

  test('stay as they are in a rebuild, which bounds those that are not', async () => {
    await fold(flood(), ledgers)
    const whole = await rollupsOf(database.db)
    expect((await rebuildRollups(database)).changed).toBe(0)
    expect(await rollupsOf(database.db)).toEqual(whole)
    await database.db.deleteFrom('scan_facets').execute()
    await rebuildRollups(database)
    expect(await stored('referrer')).toEqual({
      named: FACET_VALUES_MAX,
      rest: VALUES - FACET_VALUES_MAX,
      sum: VALUES,
    })
  })

  test('show the rest in reports, before and after it is in the totals', async () => {
    await fold(flood(), ledgers)
    for (const now of [NOON, NOON + 9 * DAY_MS]) {
      await fillTotals(database, new Date(now))
      const [first, second] = await topFacets(database.db, 'menu', 'country', 2)
      expect(first?.value).toBe(REST)
      expect(second?.scans).toBe(1)
    }
  })

  test('lose nothing when a batch is taken back half-way', async () => {
    const [ledger, other] = ledgers as [FoldingLedger, FoldingLedger]
    const refused = { ...flood(1)[0], rule: null as never } as PastScan
    await fold([...flood(400), refused, ...flood(900).slice(400)], [ledger])
    await fold(flood(1_200).slice(900), [other])
    expect(await stored('referrer')).toMatchObject({ sum: 1_200 })
    expect((await rebuildRollups(database)).changed).toBe(0)
  })
})
