import fc from 'fast-check'
import { IANAZone } from 'luxon'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Facet, facets, UNKNOWN } from '../../src/contract/analytics/figure-values.ts'
import type {
  Breakdown,
  Classes,
  Figures,
  Heatmap,
  Ranking,
} from '../../src/contract/analytics/figures.ts'
import { DAY_MS } from '../../src/contract/time.ts'
import { packStep } from '../../src/server/analytics/store/packs/packing.ts'
import { apps } from '../../src/server/analytics/user-agents/apps.ts'
import { scansIn } from '../support/clickhouse.ts'
import { engines } from '../support/engines.ts'
import { type LedgerRow, ledgerOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { enrolPerson } from '../support/person.ts'
import { printCodes } from '../support/printed-code.ts'
import { isSoak, seed } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const QUARTER_MS = 900_000
const HALF_HOUR_MS = 1_800_000
/** So many days before now have scans. */
const DAYS = 40
/** Behind the changes of clocks in autumn, in spring, and in the southern spring; in the order of time. */
const NOWS = [
  '2025-11-12T21:40:00Z',
  '2026-03-20T09:10:00Z',
  '2026-04-20T10:20:00Z',
  '2026-10-10T13:25:00Z',
].map((each) => Date.parse(each))
/** Zones of half and quarter hours, with a change of half an hour, at midnight, in the south, and the two ends. */
const TELLING_ZONES = [
  ...['Europe/Berlin', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/Havana', 'Asia/Kolkata'],
  ...[
    'America/St_Johns',
    'Pacific/Chatham',
    'America/Santiago',
    'Africa/Casablanca',
    'Asia/Beirut',
  ],
  ...['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Eucla', 'Africa/Cairo', 'UTC'],
  'America/New_York',
]
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** Rollups are read for up to 20 codes. */
const CODES = 22
/** Scans of a day whose pack has sums by code */
const BUSY = 1_100
/** How many periods are asked for in CI with scans in ClickHouse. */
const CLICKHOUSE_RUNS = 5
const appNames = new Set<string | null>(apps.map(({ name }) => name))

/** A facet's value in a row of the ledger. */
const valueIn = (row: LedgerRow, facet: Facet) => {
  if (facet !== 'app') return row[facet]
  return appNames.has(row.browser) ? row.browser : null
}

const scan = fc.record({
  class: fc.constantFrom<PastScan['class']>('person', 'person', 'person', 'bot', 'preview'),
  country: fc.constantFrom('DE', 'FR', 'JP', null),
  region: fc.constantFrom('Bavaria', null),
  city: fc.constantFrom('Munich', 'Paris', null),
  device: fc.constantFrom('Mobile', 'Desktop'),
  browser: fc.constantFrom('Safari', 'Instagram', 'WeChat', 'Other'),
  language: fc.constantFrom('de', 'fr', null),
  referrer: fc.constantFrom('example.com', null, null),
  branch: fc.constantFrom('k3jq8x2a', 'm0p4t7wz', null),
  visitor: fc.constantFrom('ada', 'bob', 'eve'),
})
const filters = fc.record(
  {
    country: fc.constantFrom('DE', 'FR', UNKNOWN),
    city: fc.constantFrom('Munich', UNKNOWN),
    device: fc.constantFrom('Mobile', 'Tablet'),
    app: fc.constantFrom('Instagram', 'Safari', UNKNOWN),
    branch: fc.constantFrom('k3jq8x2a', UNKNOWN),
  },
  { requiredKeys: [] },
)

describe.each(engines)('the sums on %s', (engine) => {
  const tessera = runTessera({ engine })
  const ada = enrolPerson(tessera, 'unlimited')
  let codes: string[]
  let binned: string

  beforeAll(async () => {
    const { db } = tessera.database
    const all = (await printCodes(db, CODES + 1)).map(({ id }) => id)
    await db
      .updateTable('codes')
      .set({ workspace_id: ada.workspaceId })
      .where('id', 'in', all)
      .execute()
    ;[binned = '', ...codes] = all
    await db.updateTable('codes').set({ deleted_at: 1 }).where('id', '=', binned).execute()
  })

  const ask = <Answer>(call: string, query: Record<string, string>) =>
    ada.ask<Answer>(`/api/analytics/${call}?${new URLSearchParams(query)}`)

  // A soak has a sixth of all zones, chosen by its seed. In CI each engine has its half.
  const zones = isSoak
    ? Intl.supportedValuesOf('timeZone').filter((_, at) => at % 6 === seed % 6)
    : TELLING_ZONES.filter((_, at) => at % 2 === engines.indexOf(engine))
  // Each at each of its changes. No scan is of the future, so a later time never comes before an earlier one.
  const turns = NOWS.flatMap((now) =>
    zones
      .map((zone) => ({ now, zone, changes: changesIn(zone, now) }))
      .filter(({ changes }) => changes.length > 0 || now === NOWS[0]),
  )
  let turn = 0
  const asked = fc.record({
    scans: fc.array(
      fc.tuple(
        scan,
        fc.nat(1),
        fc.oneof(
          fc.record({ back: fc.nat(DAYS * DAY_MS) }),
          // Where a quarter-hour begins
          fc.record({ quarters: fc.nat(DAYS * 96) }),
          // Around a change of the clocks
          fc.record({ change: fc.nat(1), off: fc.integer({ min: -20, max: 20 }) }),
        ),
      ),
      { maxLength: 40 },
    ),
    range: fc.constantFrom('7d', '30d', '90d', 'last-week', 'last-month', 'all', 'free'),
    free: fc.tuple(fc.nat(DAYS), fc.nat(DAYS)).map((days) => days.sort((one, two) => two - one)),
    kind: fc.constantFrom<'people' | 'bots'>('people', 'people', 'bots'),
    isOfOne: fc.boolean(),
    mayPack: fc.boolean(),
    filters: fc.oneof(fc.constant({}), filters),
    lists: fc.subarray([...facets], { minLength: 2, maxLength: 3 }),
  })

  /**
   * Two UTC days with enough scans that their packs have sums by code. On one of them a code in the bin
   * has scans too, so that the sums of all codes are not those of the listed ones.
   */
  const busyDays = (now: number) => {
    const day = Math.floor(now / DAY_MS) * DAY_MS
    return fc.sample(scan, { seed: 1, numRuns: 2 * BUSY }).map((values, n) => ({
      ...values,
      at: day - (n + 1) * Math.floor(DAY_MS / BUSY),
      code_id: (n === 0 ? binned : codes[n % 3]) as string,
    }))
  }

  test('in any zone and under any filter, every breakdown adds up to the total, which is the ledger’s', async () => {
    const property = fc.asyncProperty(asked, async ({ scans, range, kind, ...run }) => {
      const isFirst = turns[turn]?.now !== turns[turn - 1]?.now
      const { now, zone, changes } = turns[turn++] as (typeof turns)[number]
      tessera.clock.set(new Date(now).toISOString())
      if (isFirst) await recordPast(tessera.database.location, busyDays(now))
      const quarter = Math.floor(now / QUARTER_MS) * QUARTER_MS
      const some = scans.map(([values, code, when]) => {
        let at = quarter
        if ('back' in when) at = now - when.back
        else if ('quarters' in when) at -= when.quarters * QUARTER_MS
        else at = (changes[when.change % changes.length] ?? quarter) + when.off * QUARTER_MS
        return { ...values, at: Math.min(now, at), code_id: codes[code] as string }
      })
      await recordPast(tessera.database.location, some)
      if (run.mayPack) while (await packStep(tessera.database, new Date(now + DAY_MS)));
      const clocks = clocksOf(zone)
      const [from, to] = run.free.map((days) => clocks(now - days * DAY_MS).date)
      const query = {
        ...run.filters,
        range,
        kind,
        tz: zone,
        ...(range === 'free' && { from, to, by: 'day' }),
        ...(run.isOfOne && { qr: codes[0] }),
      } as Record<string, string>

      const figures = await ask<Figures>('figures', query)
      const begin = figures.points[0]?.at.slice(0, 10) ?? ''
      const rows = (await ledgerOf(tessera.database, codes)).filter((row) => {
        const { date } = clocks(row.at)
        return (
          (row.class === 'person') === (kind === 'people') &&
          (!run.isOfOne || row.code_id === codes[0]) &&
          (range === 'all' || date >= begin) &&
          row.at < Date.parse(figures.range.to) &&
          Object.entries(run.filters).every(
            ([facet, value]) => valueIn(row, facet as Facet) === (value === UNKNOWN ? null : value),
          )
        )
      })
      expect(figures.scans).toBe(rows.length)
      expect(figures.points.reduce((sum, { scans }) => sum + scans, 0)).toBe(rows.length)
      const visitors = rows.reduce((sum, { first }) => sum + first, 0)
      expect(figures.visitors).toBe(kind === 'people' ? visitors : null)
      if (figures.range.by === 'day') {
        const days = Map.groupBy(rows, ({ at }) => clocks(at).date)
        for (const { at, scans } of figures.points) expect(scans).toBe(days.get(at)?.length ?? 0)
      }

      for (const facet of new Set<Facet>(['branch', ...run.lists])) {
        const list = await ask<Breakdown>('breakdown', { ...query, facet })
        const counted = Map.groupBy(rows, (row) => valueIn(row, facet))
        const { unknown, others, scans } = list
        expect({ facet, unknown, others, scans }).toEqual({
          facet,
          unknown: counted.get(null)?.length ?? 0,
          others: 0,
          scans: rows.length,
        })
        counted.delete(null)
        const values = [...counted].map(([value, each]) => [value, each.length])
        expect(list.rows.map(({ value, scans }) => [value, scans]).sort()).toEqual(values.sort())
        const sizes = list.rows.map(({ scans }) => scans)
        expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
      }

      const heatmap = await ask<Heatmap>('heatmap', query)
      const hours = WEEKDAYS.map(() => new Array<number>(24).fill(0))
      for (const { at } of rows) {
        const { weekday, hour } = clocks(at)
        const row = hours[WEEKDAYS.indexOf(weekday)] as number[]
        row[hour] = (row[hour] as number) + 1
      }
      expect(heatmap).toEqual({ rows: hours, scans: rows.length })

      const { qr: _, ...ofAll } = query
      const ranking = await ask<Ranking>('ranking', run.isOfOne ? ofAll : query)
      const inCode = ranking.codes.find(({ id }) => id === codes[0])?.scans ?? 0
      const sum = run.isOfOne ? inCode : ranking.scans
      expect(sum).toBe(rows.length)

      const classes = await ask<Classes>('classes', query)
      const byClass = Map.groupBy(classes.rows, (row) => row.class)
      for (const [name, all] of byClass) {
        const sum = all.reduce((scans, row) => scans + row.scans, 0)
        expect([name, sum]).toEqual([name, rows.filter((row) => row.class === name).length])
      }
      expect(classes.rows.reduce((sum, { scans }) => sum + scans, 0)).toBe(rows.length)
    })
    const inClickHouse = scansIn(tessera.database.location)
    const numRuns = inClickHouse && !isSoak ? CLICKHOUSE_RUNS : turns.length
    await fc.assert(property, { seed, numRuns, endOnFailure: true })
    // ClickHouse has no packs.
    if (inClickHouse) return
    const parts = await tessera.database.db.selectFrom('scan_packs').select('code_sums').execute()
    expect(parts.filter(({ code_sums }) => code_sums).length).toBeGreaterThan(1)
  })
})

/** When clocks of a zone are changed in the days that have scans. */
function changesIn(name: string, now: number): number[] {
  const zone = IANAZone.create(name)
  const changes: number[] = []
  const first = Math.floor((now - DAYS * DAY_MS) / HALF_HOUR_MS) * HALF_HOUR_MS
  for (let at = first; at < now; at += HALF_HOUR_MS) {
    if (zone.offset(at) !== zone.offset(at - HALF_HOUR_MS)) changes.push(at)
  }
  return changes
}

/** The clocks of a zone at an instant. */
function clocksOf(timeZone: string) {
  const dates = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const weekdays = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' })
  const hours = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  return (at: number) => ({
    date: dates.format(at),
    weekday: weekdays.format(at),
    hour: Number(hours.format(at)),
  })
}
