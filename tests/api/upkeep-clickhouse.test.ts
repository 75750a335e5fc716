import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { rules } from '../../src/server/analytics/record/classification.ts'
import { ClickHouse, type Params } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { purges, retention } from '../../src/server/analytics/store/clickhouse/upkeep.ts'
import { openScans, prepareScans } from '../../src/server/analytics/store/open-store.ts'
import { systemClock } from '../../src/server/clock.ts'
import type { Database, ScansPlace } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { scansIn } from '../support/clickhouse.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { recordPast } from '../support/past-scans.ts'
import { newPerson } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { doings, readBefore, readToday } from '../support/read-scans.ts'
import { seed, times } from '../support/soak.ts'
import { startTessera } from '../support/tessera.ts'
import { openTestDatabase } from '../support/test-database.ts'

const NOW = '2026-03-20T10:00:00Z'
const BEGIN = Date.parse('2026-01-01T00:00:00Z')
const TODAY = Date.parse(NOW)
const CUT_OFF = 'the connection is cut off'

const serverOf = ({ location }: Database) => new CutOff(scansIn(location) as ScansPlace)
const start = () => startTessera({ engine: 'postgres', now: NOW })

/** A server that does not get one statement, unless `left` is 0: then all. */
class CutOff extends ClickHouse {
  left = 0

  override async run(statement: string, params?: Params) {
    if (--this.left === 0) throw new Error(CUT_OFF)
    await super.run(statement, params)
  }
}

/** Some scans of codes from a time until today */
const someScans = (codes: string[], from: number, sample = 0) => {
  const [some = []] = fc.sample(doings(from, TODAY, 100), { seed: seed + sample, numRuns: 1 })
  return some.map((each) => readToday(each, codes))
}

test('a month is dropped, wherever it is cut off, and no number of a screen changes', async () => {
  const tessera = await start()
  const { database, clock } = tessera
  const ada = await newPerson(tessera, 'unlimited')
  const codes: string[] = []
  for (let n = 0; n < 4; n++) codes.push((await ada.code()).id)
  await recordPast(database.location, someScans(codes, BEGIN))
  const store = openScans(database, { clock: clock.now }).of(ada.workspaceId)
  const screens = ['figures?', 'heatmap?', 'breakdown?facet=branch&', 'breakdown?facet=os&']
  const ranges = ['range=all', `range=all&qr=${codes[0]}`]
  const calls = ranges.flatMap((range) => screens.map((screen) => `${screen}${range}&tz=UTC`))
  calls.push('figures?range=all&kind=bots&tz=UTC', 'ranking?range=all&tz=UTC')
  calls.push('figures?range=free&from=2026-01-09&to=2026-03-09&tz=UTC')

  async function numbers() {
    clock.set(NOW)
    const answers = calls.map((call) => ada.ask<object>(`/api/analytics/${call}`))
    return [
      // The rules that read a scan go with it.
      ...(await Promise.all(answers)).map((answer) => ({ ...answer, rules: [] })),
      [...(await store.scansByCode(codes))].sort(),
      await Promise.all(codes.map((id) => store.totalsByDay(id))),
      await Promise.all(codes.map((id) => store.topFacets(id, 'country', 5))),
      [await store.first(codes), await store.last(codes[0] as string)],
    ]
  }

  const whole = await numbers()
  const clickhouse = serverOf(database)
  const { run } = retention({ ...database, clock: clock.now }, clickhouse, 1)
  // Two statements clear away what an earlier try has kept, two keep the sums, and one drops the month.
  for (const cutOff of [1, 2, 3, 4, 5]) {
    clickhouse.left = cutOff
    await expect(run()).rejects.toThrow(CUT_OFF)
    expect(await numbers()).toEqual(whole)
  }
  await run()
  expect(await numbers()).toEqual(whole)
  const left = await ledgerOf(database, codes)
  expect(new Date(left[0]?.at ?? 0).toISOString().slice(0, 7)).toBe('2026-02')

  // One that comes late, after its month has gone, goes too.
  await recordPast(database.location, [{ code_id: codes[0] as string, at: BEGIN }])
  await run()
  expect(await numbers()).toEqual(whole)
  expect(await ledgerOf(database, codes)).toEqual(left)
  await clickhouse.close()
  await tessera.stop()
})

test('what is purged is gone from all tables: a code, and a whole account', async () => {
  const tessera = await start()
  const { database, clock } = tessera
  const [ada, bob] = [await newPerson(tessera, 'unlimited'), await newPerson(tessera)]
  const [menu, poster, other] = [await ada.code(), await ada.code(), await bob.code()]
  const all = [menu.id, poster.id, other.id]
  const scans = all.flatMap((code_id) => [BEGIN, TODAY].map((at) => ({ code_id, at })))
  await recordPast(database.location, scans)
  const clickhouse = serverOf(database)
  await retention({ ...database, clock: clock.now }, clickhouse, 1).run()
  const tablesOf = async (code: string) => {
    const tables = ['scans', 'scan_sums', 'facet_sums'].map((table) =>
      clickhouse.rows(`select * from ${table} where code_id = '${code}' limit 1`),
    )
    return `${(await Promise.all(tables)).map((rows) => rows.length)}`
  }
  const isGone = (code: string) => eventually(async () => (await tablesOf(code)) === '0,0,0')
  for (const code of all) expect(await tablesOf(code)).toBe('1,1,1')

  const store = openScans(database, { clock: clock.now })
  const forget = (id: string, workspaceId: WorkspaceId | null) =>
    transact(database.db, (tx) => store.forget(tx, [{ id, workspaceId }]))
  await forget(menu.id, ada.workspaceId)
  // An insert that was under way comes after the first pass.
  const purge = purges(database, clickhouse)
  await purge.run()
  await isGone(menu.id)
  const late = `('${ada.workspaceId}', '${menu.id}', ${TODAY})`
  await clickhouse.run(`insert into scans (workspace_id, code_id, at) values ${late}`)
  await purge.run()
  await isGone(menu.id)
  // Scans that come from a journal after that are dropped.
  await recordPast(database.location, [{ code_id: menu.id, at: TODAY }])
  expect(await tablesOf(menu.id)).toBe('0,0,0')

  await forget(other.id, null)
  await store.forgetAccount(bob.workspaceId)
  await isGone(other.id)
  expect(await tablesOf(poster.id)).toBe('1,1,1')
  await clickhouse.close()
  await tessera.stop()
})

test('scans are read again by new rules as in SQL', async () => {
  const sqlite = await openTestDatabase('sqlite')
  const clickhouse = await openTestDatabase('postgres')
  await prepareScans(clickhouse)
  const both = [sqlite, clickhouse]
  const owner = { workspace_id: 'ada' as WorkspaceId }
  const rowsOf = async (database: (typeof both)[number], codes: string[]) =>
    (await ledgerOf(database, codes)).map((row) =>
      [row.id, row.class, row.rule, row.device, row.os, row.browser, row.first].join(),
    )
  for (let sample = 0; sample < times(2, 30); sample++) {
    const codes: string[] = []
    for (let n = 0; n < 4; n++) {
      const { id } = await printCode(sqlite.db, owner)
      codes.push((await printCode(clickhouse.db, { ...owner, id })).id)
    }
    const scans = someScans(codes, TODAY - 4 * DAY_MS, sample)
    const older = scans.map((scan, at) => (at % 5 === 0 ? scan : readBefore(scan)))
    for (const { location } of both) await recordPast(location, older)
    const stores = both.map((database) => openScans(database, { clock: systemClock }))
    for (const option of [{ isDry: true }, {}, {}]) {
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
