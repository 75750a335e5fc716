import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { facets } from '../../src/contract/analytics/figure-values.ts'
import type { Breakdown, Figures, Ranking } from '../../src/contract/analytics/figures.ts'
import { rules } from '../../src/server/analytics/record/classification.ts'
import { ClickHouse, type Params } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { purges, retention } from '../../src/server/analytics/store/clickhouse/upkeep.ts'
import { openScans, prepareScans } from '../../src/server/analytics/store/open-store.ts'
import { systemClock } from '../../src/server/clock.ts'
import type { Database, ScansPlace } from '../../src/server/database/connect.ts'
import { transact } from '../../src/server/database/transact.ts'
import { scansIn } from '../support/clickhouse.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { recordPast } from '../support/past-scans.ts'
import { type AccountId, newPerson } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { doings, readBefore, readToday } from '../support/read-scans.ts'
import { seed, times } from '../support/soak.ts'
import { startTessera } from '../support/tessera.ts'
import { openTestDatabase } from '../support/test-database.ts'

const NOW = '2026-03-20T10:00:00Z'
const BEGIN = Date.parse('2026-01-01T00:00:00Z')
/** With which a month is dropped: two of them clear away what an earlier try has kept. */
const STATEMENTS = 5
const CUT_OFF = 'the connection is cut off'

const start = () => startTessera({ engine: 'postgres', now: NOW })

/** A server whose nth statement is not run, if the count reaches it. */
class CutOff extends ClickHouse {
  left: number

  constructor({ location }: Pick<Database, 'location'>, left = Number.POSITIVE_INFINITY) {
    super(scansIn(location) as ScansPlace)
    this.left = left
  }

  override async run(statement: string, params?: Params) {
    if (--this.left === 0) throw new Error(CUT_OFF)
    await super.run(statement, params)
  }
}

/** Some scans of an account's codes since a time. */
const someScans = (codes: string[], from: number, until: number, sample = 0) => {
  const [some = []] = fc.sample(doings(from, until, 100), { seed: seed + sample, numRuns: 1 })
  return some.map((each) => readToday(each, codes))
}

test('a month is dropped, wherever it is cut off, and no number of a screen changes', async () => {
  const tessera = await start()
  const { database, clock } = tessera
  const ada = await newPerson(tessera, 'unlimited')
  const codes: string[] = []
  for (let n = 0; n < 4; n++) codes.push((await ada.code()).id)
  await recordPast(database.location, someScans(codes, BEGIN, Date.parse(NOW)))
  const store = openScans(database, { clock: clock.now }).of(ada.id)
  const months = [0, 31, 59, 90].map((day) => (BEGIN / DAY_MS + day) * 96)
  const periods = months.slice(1).map((to, at) => ({ from: months[at] as number, to }))

  async function numbers() {
    const ofCode = codes.map((id) =>
      Promise.all([store.first([id]), store.last(id), store.totalsByDay(id)]),
    )
    return {
      codes: await Promise.all(ofCode),
      totals: [...(await store.scansByCode(codes))].sort(),
      visitors: [...(await store.sumsByCode(codes, periods, 'firsts'))].sort(),
      sums: await store.sumsOf(codes, periods),
      countries: await store.topFacets(codes[0] as string, 'country', 5),
    }
  }

  const ask = <Answer>(call: string, query: object) =>
    ada.ask<Answer>(`/api/analytics/${call}?${new URLSearchParams({ tz: 'UTC', ...query })}`)
  const [from, to] = ['2026-01-01', '2026-03-19']

  /** What screens show of a query. Which rules read a scan, and a person's region, city and app, go with it. */
  async function shown(query: Record<string, string>) {
    clock.set(NOW)
    const { rules: _, ...figures } = await ask<Figures>('figures', query)
    const shown = [figures, await ask('heatmap', query)]
    if (query.kind === 'bots') return shown
    const lists = facets.filter((facet) => !['region', 'city', 'app'].includes(facet))
    for (const facet of lists) shown.push(await ask<Breakdown>('breakdown', { ...query, facet }))
    return [...shown, (await ask<Ranking>('ranking', query)).codes]
  }
  const screens = () =>
    Promise.all([
      shown({ range: 'all' }),
      shown({ range: 'all', qr: codes[0] as string }),
      shown({ range: 'free', from, to, kind: 'bots' }),
    ])

  const before = await screens()
  const whole = await numbers()
  const drop = (cutOff: number) =>
    retention({ ...database, clock: clock.now }, new CutOff(database, cutOff), 1)
      .run()
      .catch((error: Error) => error.message)
  let statement = 1
  for (; (await drop(statement)) === CUT_OFF; statement++) expect(await numbers()).toEqual(whole)
  expect(statement).toBe(STATEMENTS + 1)
  expect(await numbers()).toEqual(whole)
  expect(await screens()).toEqual(before)
  const left = await ledgerOf(database, codes)
  expect(new Date(left[0]?.at ?? 0).toISOString().slice(0, 7)).toBe('2026-02')

  // One that comes late, after its month has gone, goes too.
  await recordPast(database.location, [{ code_id: codes[0] as string, at: BEGIN }])
  expect(await drop(0)).toBeUndefined()
  expect(await numbers()).toEqual(whole)
  expect(await ledgerOf(database, codes)).toHaveLength(left.length)
  await tessera.stop()
})

test('what is purged is gone from all tables: a code, and a whole account', async () => {
  const tessera = await start()
  const { database, clock } = tessera
  const [ada, bob] = [await newPerson(tessera, 'unlimited'), await newPerson(tessera)]
  const [menu, poster, other] = [await ada.code(), await ada.code(), await bob.code()]
  const all = [menu.id, poster.id, other.id]
  const months = [BEGIN, Date.parse('2026-03-01T12:00:00Z')]
  await recordPast(
    database.location,
    all.flatMap((code_id) => months.map((at) => ({ code_id, at }))),
  )
  const clickhouse = new CutOff(database)
  await retention({ ...database, clock: clock.now }, clickhouse, 1).run()
  const tablesOf = async (code: string) => {
    const tables = ['scans', 'scan_sums', 'facet_sums'].map((table) =>
      clickhouse.rows(`select * from ${table} where code_id = '${code}' limit 1`),
    )
    return (await Promise.all(tables)).map((rows) => rows.length)
  }
  for (const code of all) expect(await tablesOf(code)).toEqual([1, 1, 1])

  const store = openScans(database, { clock: clock.now })
  const forget = (id: string, workspaceId: AccountId | null) =>
    transact(database.db, (tx) => store.forget(tx, [{ id, workspaceId }]))
  await forget(menu.id, ada.id)
  // An insert that was under way comes after the first pass.
  const late = { at: Date.parse(NOW), counter: 1, nonce: 'late', class: 'person' }
  const purge = purges(database, clickhouse)
  await purge.run()
  await eventually(async () => `${await tablesOf(menu.id)}` === '0,0,0')
  await clickhouse.run(
    `insert into scans (workspace_id, code_id, at, counter, nonce, class) values
      ('${ada.id}', '${menu.id}', ${late.at}, 1, 'late', 'person')`,
  )
  await purge.run()
  await eventually(async () => `${await tablesOf(menu.id)}` === '0,0,0')
  // Scans that come from a journal after that are dropped.
  await recordPast(database.location, [{ code_id: menu.id, at: late.at }])
  expect(await tablesOf(menu.id)).toEqual([0, 0, 0])
  expect(await tablesOf(poster.id)).toEqual([1, 1, 1])

  await forget(other.id, null)
  await store.forgetAccount(bob.id)
  await eventually(async () => `${await tablesOf(other.id)}` === '0,0,0')
  expect(await tablesOf(poster.id)).toEqual([1, 1, 1])
  await clickhouse.close()
  await tessera.stop()
})

test('scans are read again by new rules as in SQL', async () => {
  const sqlite = await openTestDatabase('sqlite')
  const clickhouse = await openTestDatabase('postgres')
  await prepareScans(clickhouse)
  const both = [sqlite, clickhouse]
  const owner = { workspace_id: 'ada' as AccountId }
  const rowsOf = async (database: (typeof both)[number], codes: string[]) =>
    (await ledgerOf(database, codes)).map((row) => ({
      id: row.id,
      read: [row.class, row.rule, row.device, row.os, row.browser],
      first: row.first,
    }))
  for (let sample = 0; sample < times(2, 30); sample++) {
    const codes: string[] = []
    for (let n = 0; n < 4; n++) {
      const { id } = await printCode(sqlite.db, owner)
      codes.push((await printCode(clickhouse.db, { ...owner, id })).id)
    }
    const scans = someScans(codes, Date.parse(NOW) - 4 * DAY_MS, Date.parse(NOW), sample)
    const older = scans.map((scan, at) => (at % 5 === 0 ? scan : readBefore(scan)))
    for (const { location } of both) await recordPast(location, older)
    const stores = both.map((database) => openScans(database, { clock: systemClock }))
    const options = [{ isDry: true }, {}, {}]
    for (const option of options) {
      const [inSql, inClickHouse] = await Promise.all(
        stores.map((store) => store.reread(rules, option)),
      )
      expect(inClickHouse).toEqual(inSql)
      const [rows, same] = await Promise.all(both.map((database) => rowsOf(database, codes)))
      expect(same).toEqual(rows)
    }
  }
  for (const database of both) await database.stop()
})
