import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { joinStep, packStep, repackDay } from '../../src/server/analytics/store/packs/packing.ts'
import type { PacksDatabase } from '../../src/server/analytics/store/packs/packs-store.ts'
import { ScanReader } from '../../src/server/analytics/store/packs/reader.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import {
  forgetPacksStep,
  forgetScans,
  forgetStep,
} from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { retentionStep } from '../../src/server/analytics/store/upkeep/upkeep.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import type { Tx } from '../../src/server/database/schema.ts'
import { transact } from '../../src/server/database/transact.ts'
import { engines } from '../support/engines.ts'
import { ledgerOf } from '../support/ledger.ts'
import { linesOf, linesOfLedger } from '../support/packed.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { printCode } from '../support/printed-code.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForEach } from '../support/test-database.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')
const ACCOUNTS = ['ada', 'ben'] as WorkspaceId[]
const FEW = { least: 1, most: 6 }

describe.each(engines)('the packs on %s', (engine) => {
  const database = databaseForEach(engine)
  /** Two codes an account */
  let codes: string[]
  const others: Database[] = []
  beforeEach(async () => {
    codes = []
    for (const workspace_id of [...ACCOUNTS, ...ACCOUNTS]) {
      codes.push((await printCode(database.db, { workspace_id })).id)
    }
  })
  afterEach(async () => {
    for (const other of others.splice(0)) await other.close()
  })

  const scanned = (at: number, n = 0): PastScan => ({
    code_id: codes[n % 4] as string,
    at,
    country: ['DE', 'FR', null][n % 3] as string | null,
    visitor: `v${n % 5}`,
    class: n % 7 === 6 ? 'bot' : 'person',
  })
  const record = (...scans: PastScan[]) => recordPast(database.location, scans)

  async function readAll(reader = new ScanReader(database)): Promise<string[]> {
    const lines: string[] = []
    for (const workspaceId of ACCOUNTS) {
      const asked = { workspaceId, codeIds: codes, from: 0, to: NOW + 400 * DAY_MS }
      expect(await reader.rows(asked, (part) => lines.push(...linesOf(part)))).toBe(asked.to)
    }
    return lines.sort()
  }
  const ofLedger = async () => linesOfLedger(await ledgerOf(database))
  const partsOf = async (day?: number) => {
    const rows = database.db.selectFrom('scan_packs').select(['workspace_id', 'day', 'rows'])
    return (day === undefined ? rows : rows.where('day', '=', day)).execute()
  }
  async function settle(now = NOW) {
    while (await packStep(database, new Date(now), FEW));
    while (await joinStep(database));
  }

  test('have what is older than two minutes once it is enough, and the rest once its day is over', async () => {
    const limits = { least: 3, most: 100 }
    await record(scanned(NOW - 180_000), scanned(NOW - 150_000), scanned(NOW))
    expect(await packStep(database, new Date(NOW), limits)).toBe(false)
    await record(scanned(NOW - 121_000))
    expect(await packStep(database, new Date(NOW), limits)).toBe(true)
    expect((await partsOf()).map(({ rows }) => Number(rows))).toEqual([3])
    expect(await packStep(database, new Date(NOW), limits)).toBe(false)
    expect(await packStep(database, new Date(NOW + DAY_MS), limits)).toBe(true)
    expect((await partsOf()).map(({ rows }) => Number(rows))).toEqual([3, 1])
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('have a scan for the account of its row, and an older one for that of its code', async () => {
    await record(...Array.from({ length: 8 }, (_, n) => scanned(NOW - DAY_MS + n, n)))
    const scans = () => database.db.updateTable('scans').where('code_id', '=', codes[0] as string)
    const { workspace_id } = await scans()
      .set({ first: 0 })
      .returningAll()
      .executeTakeFirstOrThrow()
    expect(workspace_id).toBe(ACCOUNTS[0])
    await scans().set({ workspace_id: null }).execute()
    expect(await readAll()).toEqual(await ofLedger())
    await settle()
    expect(await partsOf()).toHaveLength(2)
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('are one part for each account and day that is over, also after late scans', async () => {
    const scans = Array.from({ length: 90 }, (_, n) => scanned(NOW - n * 1_800_000, n))
    await record(...scans)
    await settle()
    const yesterday = Math.floor(NOW / DAY_MS) - 1
    expect(await partsOf(yesterday)).toHaveLength(2)
    await record(scanned(NOW - DAY_MS, 1), scanned(NOW - DAY_MS, 3))
    expect(await partsOf(yesterday)).toHaveLength(3)
    await settle()
    expect(await partsOf(yesterday)).toHaveLength(2)
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('have a scan that comes while they are made', async () => {
    await record(...Array.from({ length: 20 }, (_, n) => scanned(NOW - 300_000 + n, n)))
    let isLate = true
    const late: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        // The step has read the ledger by the time it asks for the accounts' first rows.
        if (isLate && result.rows.length === 20) {
          isLate = false
          await record(scanned(NOW - 300_000))
        }
        return result
      },
    }
    const reads = database.reads.withPlugin(late)
    await packStep({ ...database, reads }, new Date(NOW), { least: 1, most: 100 })
    expect(isLate).toBe(false)
    expect(await partsOf()).toEqual([])
    await settle()
    expect(await partsOf()).not.toEqual([])
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('are made anew where their mark is lost', async () => {
    await record(...Array.from({ length: 20 }, (_, n) => scanned(NOW - n * 7_200_000, n)))
    await settle()
    await database.db.deleteFrom('ledger_marks').execute()
    await settle()
    expect(await readAll()).toEqual(await ofLedger())
  })

  const allDays = () =>
    record(...Array.from({ length: 120 }, (_, n) => scanned(NOW - n * 1_800_000, n)))
  const purge = (gone: string[]) =>
    transact(database.db, async (tx) => {
      const rows = await tx.deleteFrom('codes').where('id', 'in', gone).returningAll().execute()
      await forgetScans(
        tx,
        rows.map(({ id, workspace_id }) => ({ id, workspaceId: workspace_id })),
      )
    })

  test('of an account that has no codes any more go', async () => {
    await allDays()
    await settle()
    await purge([codes[0] as string, codes[2] as string])
    while (await forgetStep(database, new Date(NOW)));
    while (await forgetPacksStep(database));
    const wanted = new Set(['ben'])
    expect(new Set((await partsOf()).map(({ workspace_id }) => workspace_id))).toEqual(wanted)
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('go with the months of the ledger that go', async () => {
    await record(scanned(NOW), scanned(NOW - 392 * DAY_MS, 1), scanned(NOW - 800 * DAY_MS, 2))
    await settle(NOW + DAY_MS)
    expect(await partsOf()).toHaveLength(3)
    while (await retentionStep(database, new Date(NOW + DAY_MS), 13));
    expect(await partsOf()).toHaveLength(2)
    expect(await readAll()).toEqual(await ofLedger())
  })

  test('are mended with the rollups, and have first visits that were wrong', async () => {
    await allDays()
    await settle()
    const parts = await partsOf()
    const lost = parts.at(-1)?.day as number
    await database.db.deleteFrom('scan_packs').where('day', '=', lost).execute()
    await database.db.updateTable('scans').set({ first: 0 }).execute()
    expect(await readAll()).not.toEqual(await ofLedger())
    await rebuildRollups(database)
    expect(await readAll()).toEqual(await ofLedger())
    expect((await readAll()).some((line) => line.split(' | ')[1] === '1')).toBe(true)
  })

  test('and the newest rows of the ledger are each scan once, whatever happens in whatever order', async () => {
    const instant = fc.integer({ min: 0, max: 3 * 86_400 }).map((ago) => NOW - ago * 1_000)
    const fold = fc.record({
      what: fc.constant('fold' as const),
      scans: fc.array(fc.tuple(instant, fc.nat(20)), { maxLength: 12 }),
    })
    const step = fc.record({
      what: fc.constantFrom('pack' as const, 'join' as const, 'forget' as const, 'repack' as const),
      now: fc.oneof(instant, fc.constant(NOW + DAY_MS)),
      process: fc.nat(1),
      /** The statement at which the process is killed */
      killedAt: fc.option(fc.nat(12), { nil: undefined }),
    })
    const together = fc.array(fc.oneof(fold, step), { minLength: 1, maxLength: 3 })
    const reader = new ScanReader(database)
    const processes: Database[] = [database, connect(database.location, () => {})]
    others.push(...processes.slice(1))

    async function run(event: typeof together extends fc.Arbitrary<(infer E)[]> ? E : never) {
      if (event.what === 'fold') {
        return inTurn(() => record(...event.scans.map(([at, n]) => scanned(at, n))))
      }
      const working = processes[event.process] as Database
      const handle = writesInTurn(
        event.killedAt === undefined ? working : killed(working, event.killedAt),
      )
      await stepOf(event.what, handle, event.now).catch((error: Error) => {
        if (error.message !== 'killed') throw error
      })
    }
    const stepOf = (
      what: 'pack' | 'join' | 'forget' | 'repack',
      on: PacksDatabase,
      now: number,
    ) => {
      if (what === 'pack') return packStep(on, new Date(now), FEW)
      if (what === 'join') return joinStep(on)
      if (what === 'forget') return forgetPacksStep(on)
      return repackDay(on, Math.floor(now / DAY_MS))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(together, { maxLength: 8 }), async (rounds) => {
        for (const events of rounds) {
          await Promise.all(events.map(run))
          expect(await readAll(reader)).toEqual(await ofLedger())
        }
      }),
      { numRuns: times(8, 100), seed },
    )
    await settle(NOW + 2 * DAY_MS)
    expect(await readAll(reader)).toEqual(await ofLedger())
    expect((await partsOf()).length).toBeGreaterThan(2)
  })

  /** A database whose process is gone at its n-th statement. */
  function killed(from: Database, after: number): PacksDatabase {
    let statements = 0
    const kill: KyselyPlugin = {
      transformQuery({ node }) {
        // The end of a snapshot must come, since this connection stays.
        const isEnd = node.kind === 'RawNode' && node.sqlFragments[0] === 'commit'
        if (statements++ >= after && !isEnd) throw new Error('killed')
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const { db, reads, location } = from
    return { db: db.withPlugin(kill), reads: reads.withPlugin(kill), location }
  }

  /**
   * SQLite has one writer. A fold here waits for it in the thread that has to go on with the other
   * one's transaction, which the folding thread's program never does.
   */
  let writing: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (engine === 'postgres') return work()
    const turn = writing.then(work)
    writing = turn.catch(() => {})
    return turn
  }
  function writesInTurn(of: PacksDatabase): PacksDatabase {
    const db = new Proxy(of.db, {
      get(target, name) {
        if (name !== 'transaction') {
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        }
        return () => ({
          execute: (work: (tx: Tx) => Promise<unknown>) =>
            inTurn(() => target.transaction().execute(work)),
        })
      },
    })
    return { ...of, db }
  }
})
