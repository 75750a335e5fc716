import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import {
  sumsByCode,
  sumsOf,
  topFacets,
  totalsByDay,
} from '../../src/server/analytics/store/count/rollups.ts'
import { EVER } from '../../src/server/analytics/store/scans-store.ts'
import {
  fillTotals,
  fillTotalsStep,
} from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import { monthStart, quarterOf } from '../../src/server/dates.ts'
import { engines } from '../support/engines.ts'
import { ledgerOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForEach } from '../support/test-database.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')

describe.each(engines)('totals on %s', (engine) => {
  const database = databaseForEach(engine)

  const codes = ['menu', 'wifi', 'poster']
  const scanned = (at: number, code_id = 'menu', country = 'DE'): PastScan => ({
    code_id,
    at,
    country,
  })
  const daysAgo = (days: number) => NOW - days * DAY_MS
  const ofMonth = (zone: string, now = NOW) => monthStart(zone, new Date(now))
  const since = (from: number) => ({ from, to: EVER.to })
  const total = async (zone = 'UTC') => sumsOf(database.db, codes, [EVER, since(ofMonth(zone))])

  const byCode = async () => Object.fromEntries(await sumsByCode(database.db, codes, [EVER]))

  /** Scans of each code in periods with and without whole months, from these numbers of days ago on. */
  const byPeriod = async () => {
    const edges = [1_000, 180, 63, 41, 5, 0].map((days) => quarterOf(daysAgo(days)))
    const periods = edges.slice(1).map((to, index) => ({ from: edges[index] as number, to }))
    return Object.fromEntries(await sumsByCode(database.db, codes, periods))
  }

  test('stay what they are while they are filled', async () => {
    await recordPast(
      database.location,
      Array.from({ length: 300 }, (_, n) => scanned(daysAgo(n * 1.31), codes[n % 3])),
    )
    const numbers = async () => [
      ...[await total(), await topFacets(database.db, 'menu', 'country', 10)],
      ...[await byCode(), await totalsByDay(database.db, 'menu'), await byPeriod()],
    ]
    const before = await numbers()
    const periods = Object.values(await byPeriod()).flat()
    expect(periods.reduce((sum, scans) => sum + scans, 0)).toBe(299)
    let steps = 0
    while (await fillTotalsStep(database, new Date(NOW))) {
      steps++
      expect(await numbers()).toEqual(before)
    }
    expect(steps).toBeGreaterThan(1)
    const { firsts } = await database.db
      .selectFrom('scan_totals')
      .select((row) => row.fn.sum('firsts').as('firsts'))
      .executeTakeFirstOrThrow()
    expect(Number(firsts)).toBeGreaterThan(290)
    expect(await fillTotalsStep(database, new Date(NOW))).toBe(false)
  })

  test('have what comes late, before and after the next filling', async () => {
    await recordPast(database.location, [scanned(daysAgo(400)), scanned(daysAgo(3)), scanned(NOW)])
    await fillTotals(database, new Date(NOW))
    await recordPast(database.location, [
      ...[scanned(daysAgo(200), 'menu', 'FR'), scanned(NOW), scanned(daysAgo(1), 'wifi')],
    ])
    for (const now of [NOW, NOW + DAY_MS]) {
      expect(await total()).toEqual([6, 4])
      expect(await byCode()).toEqual({ menu: [5], wifi: [1] })
      expect(await topFacets(database.db, 'menu', 'country', 10)).toEqual([
        { value: 'DE', scans: 4 },
        { value: 'FR', scans: 1 },
      ])
      await fillTotals(database, new Date(now))
    }
  })

  test('have a scan that comes late on their last day', async () => {
    await recordPast(database.location, [scanned(daysAgo(3))])
    await fillTotals(database, new Date(NOW))
    await recordPast(database.location, [scanned(daysAgo(2))])
    expect(await byCode()).toEqual({ menu: [2] })
  })

  test('in any zone a month, and any other period, has the scans that the ledger has in it', async () => {
    const zones = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']
    const quarter = fc.integer({ min: 0, max: 45 * 96 }).map((n) => NOW - n * 900_000)
    const period = fc
      .tuple(quarter, quarter)
      .map((ends) => ends.toSorted((one, other) => one - other))
    const round = fc.tuple(
      fc.array(quarter, { maxLength: 12 }),
      fc.constantFrom(...zones),
      quarter,
      period,
    )
    await fc.assert(
      fc.asyncProperty(round, async ([instants, zone, filledAt, ends]) => {
        await recordPast(
          database.location,
          instants.map((at, n) => scanned(at, codes[n % 3])),
        )
        await fillTotals(database, new Date(filledAt))
        const ledger = await ledgerOf(database)
        const [month, before] = [ofMonth(zone), monthStart(zone, new Date(NOW), 1)]
        const from = (quarter: number) => ledger.filter(({ at }) => at >= quarter * 900_000).length
        const [begin = 0, end = 0] = ends.map((at) => at / 900_000)
        const periods = [EVER, since(month), { from: before, to: month }, { from: begin, to: end }]
        expect(await sumsOf(database.db, codes, periods)).toEqual([
          ...[ledger.length, from(month), from(before) - from(month), from(begin) - from(end)],
        ])
      }),
      { numRuns: times(12, 200), seed },
    )
  })
})
