import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { DAY_MS } from '#contract/time.ts'
import { setMark, TOTALS_MARK } from '../../src/server/analytics/store/ledger/marks.ts'
import { holdTotals } from '../../src/server/analytics/store/ledger/totals.ts'
import { eventually } from '../support/ledger.ts'
import { recordPast } from '../support/past-scans.ts'
import { addRows } from '../support/rows.ts'
import { databaseForEach } from '../support/test-database.ts'

const DAY = 20_500

describe('totals that are filled while scans come', () => {
  const database = databaseForEach('postgres')

  const waiting = async () => {
    const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(
      database.db,
    )
    return rows.length > 0
  }

  test('a scan that waited for them knows which days they hold now', async () => {
    let recorded: Promise<void> | undefined
    await database.db.transaction().execute(async (tx) => {
      await sql.raw(holdTotals).execute(tx)
      await setMark(tx, TOTALS_MARK, DAY + 1)
      await addRows(tx, 'totalled_codes', { code_id: 'menu', until: DAY + 1 })
      recorded = recordPast(database.location, [{ code_id: 'menu', at: DAY * DAY_MS }])
      await eventually(waiting)
    })
    await recorded
    expect(await database.db.selectFrom('totalled_codes').selectAll().execute()).toEqual([])
  })
})
