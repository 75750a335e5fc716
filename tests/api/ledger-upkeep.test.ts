import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { rebuildRollups } from '../../src/server/analytics/store/repair/repair.ts'
import { forgetScans, packsStep } from '../../src/server/analytics/store/upkeep/forgotten-codes.ts'
import { unusedAgents } from '../../src/server/analytics/store/upkeep/unused-agents.ts'
import { ledgerUpkeep, retentionStep } from '../../src/server/analytics/store/upkeep/upkeep.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { engines } from '../support/engines.ts'
import { eventually, ledgerOf, rollupsOf } from '../support/ledger.ts'
import { type PastScan, recordPast } from '../support/past-scans.ts'
import { databaseForEach } from '../support/test-database.ts'

const NOW = Date.parse('2026-03-05T10:00:00Z')
const MONTHS = 13

describe.each(engines)('the upkeep of the ledger on %s', (engine) => {
  const database = databaseForEach(engine)

  const scan = (daysAgo: number, change: Partial<PastScan> = {}): PastScan => ({
    code_id: 'menu',
    at: NOW - daysAgo * DAY_MS,
    ...change,
  })
  const record = (...scans: PastScan[]) => recordPast(database.location, scans)

  test('a purged code goes from the ledger, the numbers and the totals, and no other does', async () => {
    const many = Array.from({ length: 2_500 }, (_, n) =>
      scan(n / 1_000, { code_id: n % 3 ? 'gone' : 'kept', visitor: `v${n % 7}` }),
    )
    await record(...many)
    // Each run is that of a process which starts again, and goes on where the last one was.
    const clock = () => new Date(NOW)
    const keepPacks = (now: Date) => packsStep(database, now)
    const run = () => ledgerUpkeep({ database, clock, keepPacks, retentionMonths: MONTHS }).run()
    await run()
    await transact(database.db, (tx) =>
      forgetScans(tx, [{ id: 'gone', workspaceId: 'ada' as WorkspaceId }]),
    )
    await eventually(async () => {
      await run()
      const codes = await database.db.selectFrom('forgotten_codes').selectAll().execute()
      return codes.every(({ begun, workspace_id }) => begun === 4 && workspace_id === null)
    })
    // These come late from a journal.
    await record(
      scan(0, { code_id: 'gone' }),
      scan(0, { code_id: 'kept' }),
      scan(1, { code_id: 'gone' }),
    )
    for (const table of [
      'scans',
      'scan_totals',
      'facet_totals',
      'scan_counts',
      'visitors',
    ] as const) {
      const rows = await database.db.selectFrom(table).select('code_id').distinct().execute()
      expect(rows).toEqual([{ code_id: 'kept' }])
    }
  })

  test('scans of months before the last thirteen go, and their numbers stay; none goes without a limit', async () => {
    await record(scan(0), scan(392), scan(394), scan(800))
    const before = await rollupsOf(database.db)
    expect(await retentionStep(database, new Date(NOW), undefined)).toBe(false)
    while (await retentionStep(database, new Date(NOW), MONTHS));
    const first = Date.parse('2025-02-01T00:00:00Z')
    const ledger = await ledgerOf(database)
    expect(ledger).toHaveLength(3)
    expect(ledger.every(({ at }) => at >= first)).toBe(true)
    await rebuildRollups(database)
    expect(await rollupsOf(database.db)).toEqual(before)
  })

  test('a User-Agent goes a week after no scan has it any more', async () => {
    await record(
      scan(0, { agent: 'used' }),
      scan(300, { agent: 'old' }),
      scan(300, { agent: 'back' }),
    )
    await sql`delete from scans where at < ${NOW - DAY_MS}`.execute(database.db)
    const removeUnused = unusedAgents(database)
    const agentsAfter = async (days: number) => {
      while (await removeUnused(new Date(NOW + days * DAY_MS)));
      const agents = database.db.selectFrom('agents').select('text').orderBy('text')
      return (await agents.execute()).map(({ text }) => text)
    }
    expect(await agentsAfter(0)).toEqual(['back', 'old', 'used'])
    await record(scan(0, { agent: 'back' }))
    expect(await agentsAfter(6)).toEqual(['back', 'old', 'used'])
    expect(await agentsAfter(8)).toEqual(['back', 'used'])
  })
})
