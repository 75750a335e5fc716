import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import {
  type CountAnswer,
  Counting,
  type CountTask,
  type Question,
} from '../../src/server/analytics/query/count.ts'
import { packAll } from '../../src/server/analytics/store/packs/packing.ts'
import { ScanReader } from '../../src/server/analytics/store/packs/reader.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { type LedgerRow, ledgerOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { printCode } from '../support/printed-code.ts'

const QUARTER_MS = 900_000
const DAY = 20_000
/** Two UTC days that are over have enough scans that the packs have sums by code. */
const SCANS = 2_600
const facets = ['country', 'region', 'city', 'browser', 'referrer'] as const

describe.each(engines)('what packs add up to, on %s,', (engine) => {
  let place: Place
  let database: Database
  let counting: Counting
  /** The last one was scanned on the second day alone. */
  let codes: string[]
  beforeEach(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
    counting = new Counting(database, new ScanReader(database))
    codes = []
    for (const user_id of ['ada', 'ada', 'ada']) {
      codes.push((await printCode(database.db, { user_id })).id)
    }
    await recordPast(
      place.location,
      Array.from({ length: SCANS }, (_, n) => scanned(n)),
    )
    await packAll(database, new Date((DAY + 3) * DAY_MS))
  })
  afterEach(async () => {
    await database.close()
    await place.remove()
  })

  const scanned = (n: number): PastScan => {
    const at = DAY * DAY_MS + Math.floor((n * 2 * DAY_MS) / SCANS)
    const mayBeAny = at >= (DAY + 1) * DAY_MS
    return {
      at,
      code_id: codes[n % (mayBeAny ? 3 : 2)] as string,
      visitor: `v${n % 90}`,
      country: [null, 'DE', 'FR'][n % 3] as string | null,
      city: `Town\t${n % 17}\n`,
      ...{
        region: n % 5 === 0 ? null : 'Zürich',
        browser: ['Safari', 'Instagram'][n % 2] as string,
      },
      class: n % 9 === 4 ? 'bot' : 'person',
      rule: `2:rule ${n % 4}`,
    }
  }
  const whole = { from: DAY * 96, to: (DAY + 2) * 96 }
  const edges = { from: whole.from + 7, to: whole.to - 5 }
  const later = { from: whole.from + 40, to: whole.to }

  async function isRight(codeIds: string[], period: typeof whole, kind: CountTask['kind']) {
    const task = { ...period, kind, codeIds, userId: 'ada', filters: {}, firstCompleteDay: 0 }
    const ask = async <Ask extends Question['ask']>(question: Question & { ask: Ask }) =>
      (await counting.answer({ ...task, location: place.location, question })) as CountAnswer<Ask>
    const all = await ledgerOf(database.db, codeIds)
    const rows = all.filter(
      (row) =>
        (row.class === 'person') === (kind === 'people') &&
        row.at >= period.from * QUARTER_MS &&
        row.at < period.to * QUARTER_MS,
    )
    const starts = [period.from, period.from + 30, whole.from + 96, period.to]
    const { sums } = await ask({ ask: 'points', starts, before: undefined })
    const between = sums.map((_, index) =>
      rows.filter(({ at }) => {
        const quarter = Math.floor(at / QUARTER_MS)
        return quarter >= (starts[index] as number) && quarter < (starts[index + 1] as number)
      }),
    )
    expect(sums.map(({ scans }) => scans)).toEqual(between.map(({ length }) => length))
    // Bots have no visitors in the numbers.
    if (kind === 'people') {
      const firsts = between.map((some) => some.reduce((sum, { first }) => sum + first, 0))
      expect(sums.map(({ visitors }) => visitors)).toEqual(firsts)
    }
    for (const facet of facets) {
      const { values, unknown } = await ask({ ask: 'list', facet })
      const counts = countsOf(rows, (row) => row[facet])
      expect(unknown).toBe(counts.get(null) ?? 0)
      counts.delete(null)
      expect(new Map(values.map(({ value, scans }) => [value, scans]))).toEqual(counts)
    }
    const classes = await ask({ ask: 'classes' })
    const named = classes.map((row) => [`${row.class} ${row.rule}`, row.scans] as const)
    expect(new Map(named)).toEqual(countsOf(rows, (row) => `${row.class} ${row.rule}`))
  }

  async function allAreRight() {
    for (const codeIds of [codes, codes.slice(0, 2), codes.slice(0, 1), codes.slice(2)]) {
      for (const period of [whole, edges, later]) {
        for (const kind of ['people', 'bots'] as const) await isRight(codeIds, period, kind)
      }
    }
  }

  test('is the ledger’s, of all codes, without some of them, and of one', async () => {
    const parts = await database.db.selectFrom('scan_packs').select('code_sums').execute()
    expect(parts.map(({ code_sums }) => code_sums !== null)).toEqual([true, true])
    await allAreRight()
  })

  test('has scans that come late', async () => {
    await allAreRight()
    await recordPast(place.location, [scanned(5), scanned(SCANS - 5)])
    await allAreRight()
  })
})

function countsOf<Key>(rows: LedgerRow[], keyOf: (row: LedgerRow) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return counts
}
