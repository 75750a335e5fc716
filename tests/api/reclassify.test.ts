import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import type { Figures } from '../../src/contract/analytics/figures.ts'
import { RULES_VERSION, rules } from '../../src/server/analytics/record/classification.ts'
import { FIRST_COMPLETE_DAY, setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import { ScanReader } from '../../src/server/analytics/store/packs/reader.ts'
import { reclassify } from '../../src/server/analytics/store/repair/reclassify.ts'
import { RepairRefused, rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import type { Scan } from '../../src/server/analytics/store/scan.ts'
import { idFromDay } from '../../src/server/analytics/store/scan-ids.ts'
import { fillTotals } from '../../src/server/analytics/store/upkeep/totals-filling.ts'
import { connect } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines, oneEngineInCi, serverEngineInCi } from '../support/engines.ts'
import { countedLedger, eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { linesOf, linesOfLedger } from '../support/packed.ts'
import { recordPast } from '../support/past-scans.ts'
import { newPerson } from '../support/person.ts'
import { type PrintedCode, printCode } from '../support/printed-code.ts'
import { doings, readBefore, readToday } from '../support/read-scans.ts'
import { runScript } from '../support/script.ts'
import { startService } from '../support/service.ts'
import { seed, times } from '../support/soak.ts'
import { startTessera } from '../support/tessera.ts'
import { databaseForBlock } from '../support/test-database.ts'
import { Crowd } from '../support/visitors.ts'

const TODAY = Math.floor(Date.now() / DAY_MS)
const OWNER = 'ada' as WorkspaceId

describe.each(engines)('reclassify on %s', (engine) => {
  const database = databaseForBlock(engine)
  let codes: string[]
  beforeEach(async () => {
    codes = []
    for (let n = 0; n < 4; n++) {
      codes.push((await printCode(database.db, { workspace_id: OWNER })).id)
    }
  })

  afterEach(removeAll)

  /** Some days of scans as today's rules read them. */
  const someScans = (sample: number, days = 4) => {
    const all = doings((TODAY - days) * DAY_MS, Date.now())
    const [some = []] = fc.sample(all, { seed: seed + sample, numRuns: 1 })
    return some.map((each) => readToday(each, codes))
  }

  /** Ledger, rollups and packs, in the words in which they are compared. */
  async function stored() {
    const ledger = await ledgerOf(database)
    const lines: string[] = []
    const asked = { workspaceId: OWNER, codeIds: codes, from: 0, to: Date.now() + 400 * DAY_MS }
    await new ScanReader(database).rows(asked, (part) => lines.push(...linesOf(part)))
    expect(lines.sort()).toEqual(linesOfLedger(ledger))
    await countedLedger(database)
    const rows = ledger.map(({ agent: _, ...row }) => row)
    return { rows, rollups: await rollupsOf(database.db) }
  }

  async function removeAll() {
    for (const table of ['scans', 'agents', 'visitors', 'scan_counts', 'scan_facets'] as const) {
      await database.db.deleteFrom(table).execute()
    }
    for (const table of ['scan_totals', 'totalled_codes', 'ledger_marks', 'scan_packs'] as const) {
      await database.db.deleteFrom(table).execute()
    }
  }

  /** The stored rows when these scans come today. */
  async function storedToday(scans: Scan[]) {
    await recordPast(database.location, scans)
    const whole = await stored()
    await removeAll()
    return whole
  }

  /** As they came, some of them packed and in totals. */
  async function recordPacked(scans: Scan[], now = Date.now()) {
    await recordPast(database.location, scans)
    await packAll(database, new Date(now))
    await fillTotals(database, new Date(now))
  }

  test('older scans are then as if they had come today: in ledger, rollups, first visits and packs', async () => {
    for (let sample = 0; sample < times(1, 30); sample++) {
      const scans = someScans(sample)
      const whole = await storedToday(scans)
      // Half of one day is by the rules of before.
      const change = Date.now() - (sample % 3) * DAY_MS - DAY_MS / 2
      const older = scans.map((scan) => (scan.at < change ? readBefore(scan) : scan))
      await recordPacked(older)
      const done = await reclassify(database, rules)
      expect(await stored()).toEqual(whole)
      const wrong = older.filter((scan, index) => scan.class !== scans[index]?.class)
      expect([...done.classes.values()].reduce((sum, count) => sum + count, 0)).toBe(wrong.length)
      expect(done).toMatchObject({ scans: older.filter(({ at }) => at < change).length, unread: 0 })

      // Nothing is left to do or to mend.
      expect(await reclassify(database, rules)).toMatchObject({ scans: 0 })
      expect((await rebuildRollups(database)).changed).toBe(0)
      await removeAll()
    }
  })

  test('a visitor who is a person now counts from his earliest scan of the day', async () => {
    const day = (TODAY - 2) * DAY_MS
    const doing = { agent: 0, asks: 'GET', who: 'ada', code: 0 } as const
    const scans = [1, 2, 30, 31].map((hour) =>
      readToday({ ...doing, at: day + hour * 3_600_000 }, codes),
    )
    const bots = scans.map((scan, index): Scan => {
      const isBot = index % 2 === 0
      return isBot ? { ...scan, class: 'bot', rule: `${RULES_VERSION - 1}:guess` } : scan
    })
    await recordPacked(bots)
    expect((await stored()).rows.map(({ first }) => first)).toEqual([0, 1, 0, 1])
    await reclassify(database, rules)
    expect((await stored()).rows.map(({ first }) => first)).toEqual([1, 0, 1, 0])
  })

  test('a scan without a stored User-Agent stays as it was', async () => {
    const doing = { agent: 2, asks: 'GET', who: 'ada', code: 0, at: Date.now() - DAY_MS } as const
    const scans = [doing, doing].map((each) => readBefore(readToday(each, codes)))
    await recordPast(database.location, scans)
    const unread = scans[0]?.id ?? ''
    await database.db.updateTable('scans').set({ agent: null }).where('id', '=', unread).execute()
    expect(await reclassify(database, rules)).toMatchObject({ scans: 1, unread: 1 })
    const { rows } = await stored()
    const versions = new Map(rows.map(({ id, rule }) => [id, Number.parseInt(rule, 10)]))
    expect(scans.map(({ id }) => versions.get(id))).toEqual([1, RULES_VERSION])
  })

  test('days whose ledger is not whole stay as they are, and the first whole day is done', async () => {
    const scans = someScans(8, 40)
    await recordPacked(scans.map(readBefore))
    const first = TODAY - 20
    // Retention is at work: the mark is raised, the oldest scans are gone.
    await setMark(database.db, FIRST_COMPLETE_DAY, first)
    const gone = database.db.deleteFrom('scans').where('id', '<', idFromDay(first - 3))
    await gone.execute()
    const rollups = await rollupsOf(database.db)
    const ledger = await ledgerOf(database)
    const old = ({ counts, facets }: typeof rollups) => ({
      counts: counts.filter((line) => Number.parseInt(line.split(' ')[1] ?? '', 10) / 96 < first),
      facets: facets.filter((line) => Number(line.split(' ')[1]) < first),
    })

    const done = await reclassify(database, rules)
    expect(done.from).toBe(first)
    expect(old(await rollupsOf(database.db))).toEqual(old(rollups))
    const now = await ledgerOf(database)
    const retired = (rows: typeof now) => rows.filter(({ at }) => at < first * DAY_MS)
    expect(retired(now)).toEqual(retired(ledger))
    const whole = new Map(scans.map((scan) => [scan.id, scan]))
    for (const row of now.filter(({ at }) => at >= first * DAY_MS)) {
      expect(row).toMatchObject({ class: whole.get(row.id)?.class, rule: whole.get(row.id)?.rule })
    }
    await removeAll()
    const kept = scans.filter(({ at }) => at >= first * DAY_MS)
    await recordPast(database.location, kept)
    expect(now.filter(({ at }) => at >= first * DAY_MS).map(({ first }) => first)).toEqual(
      (await ledgerOf(database)).map(({ first }) => first),
    )
  })

  test('killed before any statement, it goes on where it was when it is run again', async () => {
    const scans = someScans(9, 2)
    const whole = await storedToday(scans)
    let isKilled = true
    let killed = 0
    for (let statements = 1; isKilled; statements += times(31, 3)) {
      await recordPacked(scans.map(readBefore))
      const db = database.db.withPlugin(killedBefore(statements))
      isKilled = await reclassify({ ...database, db }, rules).then(
        () => false,
        (error: Error) => error.message === KILLED,
      )
      killed += Number(isKilled)
      // A minute passes.
      await database.db.deleteFrom('job_leases').execute()
      await reclassify(database, rules)
      expect(await stored()).toEqual(whole)
      await removeAll()
    }
    expect(killed).toBeGreaterThan(2)
  })

  test('stopped, it leaves right numbers, and goes on when it is run again', async () => {
    const scans = someScans(10)
    const whole = await storedToday(scans)
    await recordPacked(scans.map(readBefore))
    const stop = new AbortController()
    const onDay = () => stop.abort()
    const begun = await reclassify(database, rules, { signal: stop.signal, onDay })
    expect(begun.isStopped).toBe(true)
    await stored()
    expect((await rebuildRollups(database)).changed).toBe(0)
    const rest = await reclassify(database, rules)
    expect([rest.isStopped, begun.scans + rest.scans]).toEqual([false, scans.length])
    expect(await stored()).toEqual(whole)
  })

  test('it is refused while another run mends numbers', async () => {
    await recordPacked(someScans(11).map(readBefore))
    const first = reclassify(database, rules)
    const leases = database.db.selectFrom('job_leases').select('name')
    await eventually(async () => (await leases.execute()).length > 0)
    await expect(rebuildRollups(database)).rejects.toThrow(RepairRefused)
    await expect(reclassify(database, rules)).rejects.toThrow(RepairRefused)
    await first
    expect(await leases.execute()).toEqual([])
  })

  test('totals are those of the new numbers, and are filled again at once', async () => {
    const scans = someScans(12)
    const now = new Date(Date.now() + 3 * DAY_MS)
    const totals = () =>
      database.db
        .selectFrom('scan_totals')
        .selectAll()
        .orderBy('code_id')
        .orderBy('month')
        .execute()
    await recordPast(database.location, scans)
    await fillTotals(database, now)
    const whole = await totals()
    await removeAll()
    await recordPacked(scans.map(readBefore), now.getTime())
    expect(await totals()).not.toEqual(whole)
    await reclassify(database, rules)
    await fillTotals(database, now)
    expect(await totals()).toEqual(whole)
  })

  // Its statements are those of the tests above.
  if (oneEngineInCi.includes(engine)) {
    test('it is a command, which a newer database refuses', async () => {
      await recordPacked(someScans(13).map(readBefore))
      const command = (...options: string[]) => runScript('reclassify', database, ...options)
      const dry = await command('--dry-run')
      expect(dry.stdout).toMatch(
        /^\d+ scans of older rules would be read again, by version \d+\n {2}\w+ → \w+: \d+\n/,
      )
      const { stdout } = await command()
      // On a busy machine it says between how far it is.
      const result = stdout.replace(/^Day .*\n/gm, '')
      expect(result).toBe(dry.stdout.replace('would be read', 'were read'))
      await stored()
      const { db } = database
      await sql`insert into kysely_migration (name, timestamp) values ('999-later', '')`.execute(db)
      await expect(command()).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('of a newer version'),
      })
      await sql`delete from kysely_migration where name = '999-later'`.execute(db)
    })
  }

  if (!serverEngineInCi.includes(engine)) return

  test('no scan is lost or counted twice while services go on', async () => {
    const services = [await startService(database)]
    if (engine === 'postgres') services.push(await startService(database))
    const live: PrintedCode[] = []
    for (let n = 0; n < 4; n++) live.push(await printCode(database.db, { workspace_id: OWNER }))
    const crowd = new Crowd('live')
    crowd.start(services.flatMap(({ origin }) => live.map(({ key }) => `${origin}/qr/${key}`)))
    await eventually(() => crowd.answered.length > 20)
    const upkeep = connect(database.location, () => {})
    for (let round = 0; round < times(1, 5); round++) {
      const older = someScans(20 + round, times(2, 4)).map(readBefore)
      await recordPast(database.location, older)
      // The crowd's scans until now are older too.
      const rule = `${RULES_VERSION - 1}:guess`
      await database.db.updateTable('scans').set({ rule, class: 'bot', first: 0 }).execute()
      await rebuildRollups(database)
      // All scans until now are packed; the crowd's next ones come behind them.
      const soon = new Date(Date.now() + 2 * 60_000)
      await Promise.all([reclassify(database, rules), packAll(upkeep, soon)])
    }
    await crowd.stop()
    for (const service of services) await allCounted(service)
    await upkeep.close()
    const ids = live.map(({ id }) => id)
    codes.push(...ids)
    const { rows } = await stored()
    const scans = rows.filter(({ code_id }) => ids.includes(code_id))
    expect(scans).toHaveLength(crowd.answered.length)
    expect(new Set(scans.map((scan) => scan.class))).toEqual(new Set(['person']))
    // All of the crowd are distinct visitors.
    expect(scans.filter(({ first }) => first === 1)).toHaveLength(crowd.answered.length)
    for (const service of services) await service.stop()
  })
})

test.each(oneEngineInCi)(
  'the figures on %s say by which versions of the rules they count',
  async (engine) => {
    const tessera = await startTessera({ engine })
    const ada = await newPerson(tessera, 'unlimited')
    const { id } = await printCode(tessera.database.db, { workspace_id: ada.workspaceId })
    const doing = { agent: 0, asks: 'GET', who: 'ada', code: 0 } as const
    const [older, newer] = [Date.now() - 2 * DAY_MS, Date.now() - DAY_MS].map((at) =>
      readToday({ ...doing, at }, [id]),
    ) as [Scan, Scan]
    await recordPast(tessera.database.location, [readBefore(older), newer])
    await packAll(tessera.database, new Date())
    const figures = () => ada.ask<Figures>(`/api/analytics/figures?range=7d&qr=${id}`)
    const versions = Array.from({ length: RULES_VERSION }, (_, before) => before + 1)
    expect((await figures()).rules).toEqual(versions)
    await reclassify(tessera.database, rules)
    expect(await figures()).toMatchObject({ rules: [RULES_VERSION], scans: 2, visitors: 2 })
    await tessera.stop()
  },
)

const KILLED = 'killed'

/** Lets so few statements through but one, and none after that, as if the process had ended. */
function killedBefore(statements: number): KyselyPlugin {
  let begun = 0
  return {
    transformQuery({ node }) {
      if (++begun >= statements) throw new Error(KILLED)
      return node
    },
    transformResult: async ({ result }) => result,
  }
}
