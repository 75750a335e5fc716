import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { JournalFold } from '../../src/server/analytics/record/folding/journal-fold.ts'
import {
  FoldingLedger,
  type LedgerDeps,
  openTables,
} from '../../src/server/analytics/store/fold/folding-ledger.ts'
import type { FoldScan } from '../../src/server/analytics/store/fold-scan.ts'
import { scanId } from '../../src/server/analytics/store/scan-ids.ts'
import { writeScans } from '../../src/server/analytics/store/write-scans.ts'
import { engines } from '../support/engines.ts'
import { type Failure, failingTables } from '../support/failing-tables.ts'
import { JournalFile, type JournalScan, journalScan } from '../support/journal-file.ts'
import { countedLedger, ledgerOf } from '../support/ledger.ts'
import { scanFrom } from '../support/past-scans.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForBlock } from '../support/test-database.ts'

const NOON = Date.parse('2026-11-22T12:00:00Z')

describe.each(engines)('a journal on %s', (engine) => {
  const database = databaseForBlock(engine)
  let journals = 0
  let id: string
  let file: JournalFile
  let refused: FoldScan[]
  const opened: FoldingLedger[] = []

  function newJournal() {
    journals++
    id = `journal-${journals}`
    file = new JournalFile(join(database.dataDir, 'journal', id), nonceOf(journals))
  }
  beforeEach(() => {
    newJournal()
    refused = []
    return () => {
      for (const ledger of opened.splice(0)) ledger.close()
    }
  })

  const nonceOf = (number: number) => `n${String(number).padStart(9, '0')}`

  function openLedger(deps: Partial<LedgerDeps> = {}): FoldingLedger {
    const ledger = new FoldingLedger({
      open: () => openTables(database.location),
      keepRefused: (scans) => refused.push(...scans),
      ...deps,
    })
    opened.push(ledger)
    return ledger
  }
  const openFold = (ledger: FoldingLedger, journal = id) =>
    new JournalFold({ id: journal, folder: file.folder }, { ledger, onDamage: () => {} })

  /** Scans of persons and a bot at two codes of this test, some of them by one visitor. */
  const crowd = (count: number): JournalScan[] =>
    Array.from({ length: count }, (_, index) => {
      const { kind } = journalScan()
      const agent = `${id} agent ${index % 3}`
      return {
        codeId: `${id} code ${index % 2}`,
        at: NOON + index,
        kind: { ...kind, agent, class: index % 5 === 4 ? 'bot' : 'person' },
        visitor: index % 5 === 4 ? null : String(index % 4).padStart(16, 'v'),
      }
    })

  /** Folds all, again and again until nothing fails. */
  async function foldAll(fold: JournalFold, scansMax = 2) {
    for (;;) {
      try {
        if (!(await fold.step(scansMax))) return fold.close()
      } catch (error) {
        if (!/connection is/.test((error as Error).message)) throw error
      }
    }
  }

  /** The instants of this journal's scans in the ledger, whose rollups must agree with it. */
  async function stored(): Promise<number[]> {
    const ledger = await countedLedger(database)
    return ledger.filter((row) => row.id.endsWith(nonceOf(journals))).map(({ at }) => at)
  }
  const instantsOf = (scans: JournalScan[]) => scans.map(({ at }) => at)

  test('gives each scan its row, with the id that its place says', async () => {
    const scans = crowd(7)
    file.write(scans)
    await foldAll(openFold(openLedger()))
    const rows = (await ledgerOf(database)).filter((row) => row.code_id.startsWith(`${id} `))
    expect(rows).toMatchObject(
      scans.map(({ codeId, at, kind: { agent, ...kind }, visitor }, index) => ({
        id: scanId(at, index, nonceOf(journals)),
        code_id: codeId,
        at,
        visitor,
        text: agent,
        ...kind,
        first: [0, 1, 2, 3].includes(index) ? 1 : 0,
      })),
    )
    expect(await stored()).toHaveLength(7)
  })

  test('counts each scan once, at whatever statement the connection is lost', async () => {
    const failure = fc.option(fc.constantFrom<Failure>('before', 'after'), {
      nil: undefined,
      freq: 4,
    })
    const property = fc.asyncProperty(
      fc.array(failure, { minLength: 3, maxLength: 60 }),
      fc.boolean(),
      async (plan, isAnew) => {
        newJournal()
        const scans = crowd(10)
        for (let from = 0; from < scans.length; from += 2) file.write(scans.slice(from, from + 2))
        let statement = 0
        const next = () => plan[statement++]
        const open = () => failingTables(openTables(database.location), next)
        const ledger = openLedger({ open })
        // A process that ends and another that begins, or one that tries again.
        const fold = openFold(ledger)
        await fold.step(4).catch(() => {})
        await foldAll(isAnew ? openFold(ledger) : fold)
        expect(await stored()).toEqual(instantsOf(scans))
        // Or hundreds of runs would have more connections than a server takes.
        ledger.close()
      },
    )
    await fc.assert(property, { seed, numRuns: times(25, 400) })
  })

  test('counts each scan once, if two processes fold it at the same time', async () => {
    const scans = crowd(60)
    for (const scan of scans) file.write([scan])
    const folds = [openFold(openLedger()), openFold(openLedger())]
    const steps = folds.map((fold) => () => fold.step(2))
    // Two handles of SQLite in one thread would wait for each other.
    const together = async () =>
      engine === 'sqlite'
        ? [await steps[0]?.(), await steps[1]?.()]
        : Promise.all(steps.map((step) => step()))
    while ((await together()).some((folded) => folded)) {}
    for (const fold of folds) fold.close()
    expect(await stored()).toEqual(instantsOf(scans))
  })

  test('counts each scan once, if the database forgot how far it was', async () => {
    const scans = crowd(6)
    file.write(scans.slice(0, 4))
    await foldAll(openFold(openLedger()))
    file.write(scans.slice(4))
    await database.db.deleteFrom('journals').where('id', '=', id).execute()
    const ledger = openLedger()
    const fold = openFold(ledger)
    expect(await fold.step(100)).toEqual({ fresh: 2, known: 4, refused: 0 })
    fold.close()
    expect(await stored()).toEqual(instantsOf(scans))
  })

  test('sets aside the scan that the database does not take, and counts the others', async () => {
    const scans = crowd(9)
    const bad = { ...scans[5] } as JournalScan
    bad.kind = { ...bad.kind, rule: null as never }
    file.write(scans.with(5, bad))
    const fold = openFold(openLedger())
    expect(await fold.step(100)).toEqual({ fresh: 8, known: 0, refused: 1 })
    expect(refused).toMatchObject([{ at: bad.at, codeId: bad.codeId }])
    expect(await stored()).toEqual(instantsOf(scans).toSpliced(5, 1))
    file.write(crowd(10).slice(9))
    expect(await fold.step(100)).toEqual({ fresh: 1, known: 0, refused: 0 })
    fold.close()
  })

  test('does not move past a refused scan that cannot be kept', async () => {
    const [scan] = crowd(1) as [JournalScan]
    file.write([{ ...scan, kind: { ...scan.kind, rule: null as never } }])
    const keepRefused = () => {
      throw new Error('no place')
    }
    await expect(openFold(openLedger({ keepRefused })).step(100)).rejects.toThrow('no place')
    expect(await openFold(openLedger()).step(100)).toMatchObject({ refused: 1 })
  })

  test('gives back the files that are folded', async () => {
    file.write(crowd(2))
    file.rotate()
    file.write(crowd(4).slice(2))
    await foldAll(openFold(openLedger()))
    expect(existsSync(join(file.folder, '0000000000.seg'))).toBe(false)
    expect(existsSync(join(file.folder, '0000000001.seg'))).toBe(true)
    expect(await stored()).toHaveLength(4)
  })

  test('keeps no new User-Agent once there are too many, and counts its scans all the same', async () => {
    const agents = database.db
      .selectFrom('agents')
      .select((row) => row.fn.countAll<number>().as('agents'))
    const before = Number((await agents.executeTakeFirstOrThrow()).agents)
    const scans = Array.from({ length: 150 }, (_, index) =>
      scanFrom({ code_id: `${id} code`, at: NOON, agent: `${id} agent ${index}` }),
    )
    const again = scans.map((scan) => scanFrom({ ...scan, id: `${scan.id}x` }))
    for (const part of [scans.slice(0, 100), again]) {
      await writeScans(database.location, part, { agentsMax: before + 100 })
    }
    expect(Number((await agents.executeTakeFirstOrThrow()).agents)).toBe(before + 100)
    const rows = (await ledgerOf(database)).filter((row) => row.code_id === `${id} code`)
    expect(rows.filter(({ text }) => text === null)).toHaveLength(50)
    expect(rows).toHaveLength(250)
  })
})
