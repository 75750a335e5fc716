import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { JournalFold } from '../../src/server/analytics/record/folding/journal-fold.ts'
import { ClickHouse } from '../../src/server/analytics/store/clickhouse/clickhouse.ts'
import { openTables } from '../../src/server/analytics/store/fold/folding-ledger.ts'
import type { FoldScan } from '../../src/server/analytics/store/fold-scan.ts'
import { clickhouseInbox, prepareScans } from '../../src/server/analytics/store/open-store.ts'
import type { ScansInbox } from '../../src/server/analytics/store/scans-store.ts'
import type { ScansPlace } from '../../src/server/database/connect.ts'
import { scansIn } from '../support/clickhouse.ts'
import { CuttingProxy, httpParts, type Moment } from '../support/cutting-proxy.ts'
import { JournalFile, type JournalScan, journalScan } from '../support/journal-file.ts'
import { ledgerOf } from '../support/ledger.ts'
import { PHONE } from '../support/past-scans.ts'
import { seed, times } from '../support/soak.ts'
import { databaseForBlock } from '../support/test-database.ts'

const NOON = Date.parse('2026-10-31T12:00:00Z')
/** On two days, in two months */
const SCANS = 30

describe('a journal whose scans go to ClickHouse', () => {
  const database = databaseForBlock('postgres')
  let place: ScansPlace
  let proxy: CuttingProxy
  let journals = 0
  const opened: ScansInbox[] = []
  beforeAll(async () => {
    await prepareScans(database)
    place = scansIn(database.location) as ScansPlace
    proxy = await CuttingProxy.start(place.url, httpParts)
    return async () => {
      for (const ledger of opened) ledger.close()
      await proxy.stop()
    }
  })

  function newJournal(scans: JournalScan[]) {
    const id = `${++journals}`.padStart(10, 'n')
    const file = new JournalFile(join(database.dataDir, 'journal', id), id)
    for (const scan of scans) file.write([scan])
    return { id, folder: file.folder }
  }
  const some = (codeId: string) =>
    Array.from({ length: SCANS }, (_, index) =>
      journalScan({ codeId, at: NOON + Math.floor((index * 2 * DAY_MS) / SCANS) }),
    )

  /** A process on this journal, through the proxy. */
  function openFold(journal: ReturnType<typeof newJournal>, refused: FoldScan[] = []) {
    const open = () => openTables(database.location)
    const keepRefused = (scans: FoldScan[]) => refused.push(...scans)
    const place = { url: proxy.url }
    const location = { ...database.location, scans: place }
    const ledger = clickhouseInbox(location, place, { open, keepRefused })
    opened.push(ledger)
    return new JournalFold(journal, { ledger, onDamage: () => {} })
  }
  const instantsOf = (scans: JournalScan[]) => scans.map(({ at }) => at)
  const storedOf = async (codeId: string) =>
    (await ledgerOf(database, [codeId])).map(({ at }) => at)

  test('has each scan once, wherever an answer is lost, and whichever of two processes goes on with which batches', async () => {
    const moment = fc.constantFrom<Moment | undefined>('before', 'after', 'after', undefined)
    const who = fc.subarray([0, 1] as const, { minLength: 1 })
    const turn = fc.tuple(moment, fc.integer({ min: 1, max: 12 }), who)
    const turns = fc.array(turn, { minLength: 2, maxLength: 12 })
    const property = fc.asyncProperty(turns, async (plan) => {
      const codeId = `code ${journals}`
      const scans = some(codeId)
      const journal = newJournal(scans)
      const folds = [openFold(journal), openFold(journal)] as const
      for (const [moment, scansMax, who] of plan) {
        proxy.cut = (part) => (part.includes('insert into scans') ? moment : undefined)
        await Promise.allSettled(who.map((index) => folds[index].step(scansMax + index)))
      }
      proxy.cut = () => undefined
      while (await folds[0].step(7));
      for (const fold of folds) fold.close()
      for (const ledger of opened.splice(0)) ledger.close()
      expect(await storedOf(codeId)).toEqual(instantsOf(scans))
    })
    await fc.assert(property, { seed, numRuns: times(5, 200) })
    expect(proxy.cuts).toBeGreaterThan(5)
  })

  test('adds a batch without a scan that the server refuses for good, which is kept and counted', async () => {
    // The table was changed by hand.
    const clickhouse = new ClickHouse(place)
    await clickhouse.run('alter table scans modify column city Nullable(FixedString(8))')
    await clickhouse.close()
    const scans = some('refused')
    const kind = { ...PHONE, city: 'Oberammergau' }
    const bad = journalScan({ codeId: 'refused', at: NOON, kind })
    const refused: FoldScan[] = []
    const fold = openFold(newJournal(scans.with(4, bad)), refused)
    expect(await fold.step(10)).toEqual({ fresh: 9, known: 0, refused: 1 })
    expect(refused.map(({ at }) => at)).toEqual(instantsOf([bad]))
    expect(await fold.step(100)).toEqual({ fresh: 20, known: 0, refused: 0 })
    fold.close()
    expect(await storedOf('refused')).toEqual(instantsOf(scans.toSpliced(4, 1)))
  })
})
