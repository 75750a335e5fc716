import { spawn } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { makeSeed } from '../../scripts/seed/make-seed.ts'
import { facets } from '../../src/contract/analytics/figure-values.ts'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import {
  AGREED,
  KEPT_FROM,
  markOf,
  raiseFirstCompleteDay,
} from '../../src/server/analytics/store/ledger/marks.ts'
import { openCounts, openScans } from '../../src/server/analytics/store/open-store.ts'
import { idFromDay } from '../../src/server/analytics/store/scan-ids.ts'
import { EVER } from '../../src/server/analytics/store/scans-store.ts'
import {
  forgetScans,
  forgetStep,
  packsStep,
} from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { writeScans } from '../../src/server/analytics/store/write-scans.ts'
import { systemClock as clock } from '../../src/server/clock.ts'
import type { Database, Location } from '../../src/server/database/connect.ts'
import type { Tables } from '../../src/server/database/schema.ts'
import { QUARTERS_A_DAY } from '../../src/server/dates.ts'
import { eventually, ledgerOf } from '../support/ledger.ts'
import { scanFrom } from '../support/past-scans.ts'
import { endOf, environmentOf, runScriptHere } from '../support/script.ts'
import { times } from '../support/soak.ts'
import { openTestDatabase } from '../support/test-database.ts'

const SEED = { scans: times(2_000, 60_000), codes: times(12, 100), accounts: 2, days: 70 }
const TODAY = Math.floor(Date.now() / DAY_MS)
/** Only sums are left of days before the month before this one. */
const NOW = new Date()
const WHOLE_FROM = Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - 1) / DAY_MS

type Code = Pick<Tables['codes'], 'id' | 'workspace_id'>

/** A PostgreSQL with scans, and an empty ClickHouse beside it. */
async function twoSides() {
  const both = await openTestDatabase('postgres')
  onTestFinished(both.stop)
  const { url, scans } = both.location as Location & { engine: 'postgres' }
  const alone: Database = { ...both, location: { engine: 'postgres', url } }
  await makeSeed(alone, { ...SEED, now: Date.now() })
  const clickhouse = new ClickHouse(scans ?? { url: '' })
  onTestFinished(() => clickhouse.close())
  const run = (...options: string[]) => runScriptHere('copy-scans', both, ...options)
  return { both, alone, clickhouse, run }
}

async function removeBefore({ db }: Database, from: number) {
  await raiseFirstCompleteDay(db, from)
  await db.deleteFrom('scans').where('id', '<', idFromDay(from)).execute()
  await db.deleteFrom('scan_packs').where('day', '<', from).execute()
}

/** All that screens show of each account, and the single scans. */
async function shownOf(database: Database) {
  const store = openScans(database, { clock })
  const { count } = openCounts(database.location)
  const { firstCompleteDay } = await store.completeness()
  const rows = await database.db.selectFrom('codes').select(['id', 'workspace_id']).execute()
  const shown = []
  for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspace_id)) {
    const codeIds = own.map(({ id }) => id).sort()
    const period = { from: (TODAY - 90) * QUARTERS_A_DAY, to: (TODAY + 1) * QUARTERS_A_DAY }
    const scans = { workspaceId, codeIds, ...period, firstCompleteDay, kind: 'people' as const }
    const selection = { ...scans, filters: {} }
    const starts = Array.from({ length: 92 }, (_, at) => period.from + at * QUARTERS_A_DAY)
    shown.push(
      [...(await store.of(workspaceId).scansByCode(codeIds))].sort(),
      [...(await store.of(workspaceId).sumsByCode(codeIds, [period, EVER], 'firsts'))].sort(),
      (await count(selection, { ask: 'points', starts, before: undefined }))?.sums,
    )
    for (const facet of facets) {
      shown.push(
        await count({ ...selection, codeIds: codeIds.slice(0, 1) }, { ask: 'list', facet }),
      )
    }
  }
  const part = { after: idFromDay(firstCompleteDay), until: '~', limit: SEED.scans }
  const single = await store.after(part)
  return { shown, single: single.map(({ first: _, ...scan }) => scan) }
}

describe('scans that are copied to ClickHouse', () => {
  test('show the same figures there, after a kill and without purged codes', async () => {
    const { both, alone, clickhouse, run } = await twoSides()
    await removeBefore(alone, WHOLE_FROM)
    const child = spawn('node', ['scripts/copy-scans.ts'], { env: environmentOf(both) })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await eventually(async () => {
      const rows = await clickhouse
        .rows<{ n: number }>('select count() as n from scans')
        .catch(() => [])
      return child.exitCode !== null || Number(rows[0]?.n) > 0
    })
    child.kill('SIGKILL')
    await ended

    // One day lacks its end, another one its middle.
    for (const [from, to] of [
      [TODAY - 3.5, TODAY - 3],
      [TODAY - 1.6, TODAY - 1.4],
    ] as const) {
      const where = `at >= ${Math.round(from * DAY_MS)} and at < ${Math.round(to * DAY_MS)}`
      await clickhouse.run(`alter table scans delete where ${where}`, {}, { mutations_sync: '1' })
    }
    const codes = await alone.db
      .selectFrom('codes')
      .select(['id', 'workspace_id'])
      .limit(2)
      .execute()
    const [{ id, workspace_id: workspaceId }, next] = codes as [Code, Code]
    await alone.db.transaction().execute((tx) => forgetScans(tx, [{ id, workspaceId }]))
    const { stdout } = await run()
    expect(stdout).toContain('Both have the same')
    while ((await forgetStep(alone, NOW)) || (await packsStep(alone, NOW)));
    expect(await shownOf(both)).toEqual(await shownOf(alone))
    expect((await markOf(both.db, KEPT_FROM))?.at).toBe(WHOLE_FROM)
    const sql = 'select count() as n from scans where code_id = {id:String}'
    expect(await clickhouse.rows(sql, { id })).toEqual([{ n: 0 }])
    const late = scanFrom({ code_id: next.id, at: (TODAY - 2) * DAY_MS })
    await writeScans(alone.location, [late])
    await run()
    expect(await shownOf(both)).toEqual(await shownOf(alone))
    for (const table of ['scans', 'scan_sums', 'facet_sums']) {
      await clickhouse.run(`drop table ${table}`)
    }
    await run()
    expect(await shownOf(both)).toEqual(await shownOf(alone))
  })

  test('come back with those that came since, and with the sums of months that are gone', async () => {
    const { both, alone, clickhouse, run } = await twoSides()
    await run()
    const [code] = await alone.db.selectFrom('codes').select('id').execute()
    const came = [0, 69].flatMap((days) =>
      ['v1', 'v1', 'v2', null].map((visitor, index) =>
        scanFrom({ code_id: code?.id ?? '', at: Date.now() - days * DAY_MS - index, visitor }),
      ),
    )
    await writeScans(both.location, came)
    const refused = await endOf('copy-scans', environmentOf(both), [])
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('copy-scans -- --back'),
    })
    await openScans(both, { clock })
      .upkeep(1)
      .find(({ name }) => name === 'clickhouse-retention')
      ?.run()
    await clickhouse.run(
      "alter table scans update agent = null where rule = '1:test'",
      {},
      { mutations_sync: '1' },
    )
    // As after years, when those months had not agreed
    await both.db.deleteFrom('ledger_marks').where('name', '=', AGREED).execute()
    const shown = await shownOf(both)

    await run('--back')
    expect(await shownOf(alone)).toEqual(shown)
    const ledger = await ledgerOf(alone)
    expect(ledger.filter(({ rule }) => rule === '1:test').map(({ text }) => text)).toEqual(
      came.slice(0, 4).map(() => null),
    )
    expect((await run('--back')).stdout).toContain('Both have the same')
  })
})
