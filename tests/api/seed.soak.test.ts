import { describe, expect, onTestFinished, test } from 'vitest'
import { makeSeed, SeedRefused } from '../../scripts/seed/make-seed.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { connect, type Database } from '../../src/server/database/connect.ts'
import { newPlace, oneEngineInCi } from '../support/engines.ts'
import { countedFrom, ledgerOf, rollupsOf } from '../support/ledger.ts'

const SEED = { scans: 1_000, codes: 25, now: Date.parse('2026-11-22T12:00:00Z') }

describe.each(oneEngineInCi)('npm run seed on %s', (engine) => {
  async function seeded(): Promise<Database> {
    const place = await newPlace(engine)
    const database = connect(place.location, () => {})
    onTestFinished(async () => {
      await database.close()
      await place.remove()
    })
    await makeSeed(database, SEED)
    return database
  }

  test('makes scans of thirteen months, whose numbers are those of the ledger', async () => {
    const database = await seeded()
    const { db } = database
    const ledger = await ledgerOf(database)
    expect(ledger).toHaveLength(SEED.scans)
    expect(await rollupsOf(db)).toEqual(countedFrom(ledger))
    expect((await rebuildRollups(database)).changed).toBe(0)
    expect(new Set(ledger.map(({ at }) => new Date(at).toISOString().slice(0, 7))).size).toBe(14)
    const totals = await db.selectFrom('scan_totals').select('persons').execute()
    expect(totals.length).toBeGreaterThan(SEED.codes)
    const codes = await db.selectFrom('codes').select('workspace_id').execute()
    expect(codes).toHaveLength(SEED.codes)
    expect(new Set(codes.map(({ workspace_id }) => workspace_id)).size).toBe(10)
    await expect(makeSeed(database, SEED)).rejects.toThrow(SeedRefused)
  })

  test('makes the same each time', async () => {
    const scans = async () =>
      (await ledgerOf(await seeded())).map((scan) => ({ ...scan, workspace_id: null }))
    expect(await scans()).toEqual(await scans())
  })
})
