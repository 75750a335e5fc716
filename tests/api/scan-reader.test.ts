import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { type AskedScans, ScanReader } from '../../src/server/analytics/store/packs/reader.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { engines, newPlace, type Place } from '../support/engines.ts'
import { ledgerOf } from '../support/ledger.ts'
import { linesOf, linesOfLedger } from '../support/packed.ts'
import { recordPast } from '../support/past-scans.ts'
import { printCodes } from '../support/printed-code.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')

describe.each(engines)('a reader of scans on %s', (engine) => {
  let place: Place
  let database: Database
  let reader: ScanReader
  beforeEach(async () => {
    place = await newPlace(engine)
    database = connect(place.location, () => {})
    reader = new ScanReader(database)
  })
  afterEach(async () => {
    await database.close()
    await place.remove()
  })

  async function read(asked: AskedScans) {
    const lines: string[] = []
    expect(await reader.read(asked, (part) => lines.push(...linesOf(part)))).toBe(true)
    return lines.sort()
  }

  test('hands over the scans of the codes and of the range that are asked for', async () => {
    const codes = (await printCodes(database.db, 3)).map(({ id }) => id)
    const scans = Array.from({ length: 200 }, (_, n) => ({
      code_id: codes[n % 3] as string,
      at: NOW - n * 1_234_567,
      country: [null, 'DE', 'FR'][n % 3] as string | null,
      visitor: `v${n % 11}`,
      class: n % 5 === 0 ? ('bot' as const) : ('person' as const),
    }))
    await recordPast(place.location, scans)
    const [from, to] = [NOW - 2 * DAY_MS, NOW - 30_000_000]
    const asked = { userId: 'nobody', codeIds: codes.slice(0, 2), from, to }
    const whole = (await ledgerOf(database.db)).filter(({ at }) => at >= from && at < to)
    const lines = await read(asked)
    expect(lines).toEqual(linesOfLedger(whole.filter((row) => row.code_id !== codes[2])))
    expect(lines.length).toBeGreaterThan(50)
    expect(await read({ ...asked, codeIds: [] })).toEqual([])
    expect(await read({ ...asked, userId: 'stranger' })).toEqual([])
  })
})
