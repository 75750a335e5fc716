import { sql } from 'kysely'
import { batchesOf } from '../../../batches.ts'
import type { Database } from '../../../database/connect.ts'
import { insertRows } from '../../../database/json-rows.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { noteRewritten } from '../ledger/marks.ts'
import { VISITOR_DAYS } from '../scan.ts'
import { idFromDay } from '../scan-ids.ts'

/** Rows in one transaction */
const ROWS = 500

type Wrong = { id: string; first: number }

/**
 * Makes one of a person's scans of a code on a UTC day the first: where none is or several are, the
 * earliest. The newest days' visitors are noted too. Returns how many rows it changed.
 */
export async function repairFirstVisits(database: Database, day: number, today: number) {
  const { db, reads } = database
  if (day >= today - VISITOR_DAYS) await repairVisitors(database, day)
  const wrong = await wrongFirsts(reads, day)
  for (const rows of batchesOf(wrong, ROWS)) {
    await transact(db, async (tx) => {
      await noteRewritten(tx, day)
      for (const first of [0, 1]) {
        const ids = rows.filter((row) => row.first === first).map(({ id }) => id)
        if (ids.length === 0) continue
        await tx.updateTable('scans').set({ first }).where('id', 'in', ids).execute()
      }
    })
  }
  return wrong.length
}

/** The rows whose `first` is wrong, with the value that they need. */
async function wrongFirsts(db: Db, day: number): Promise<Wrong[]> {
  const { rows } = await sql<Wrong>`
    select id, 1 - "first" as first from (
      select id, "first", class = 'person' and visitor is not null as counts,
        row_number() over (partition by code_id, class = 'person', visitor order by "first" desc, id)
          as place
      from scans where id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}) as placed
    where "first" <> case when counts and place = 1 then 1 else 0 end`.execute(db)
  return rows
}

async function repairVisitors({ db, reads }: Database, day: number): Promise<void> {
  const { rows } = await sql<{ code_id: string; visitor: string }>`
    select distinct code_id, visitor from scans
    where id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}
      and class = 'person' and visitor is not null
    except select code_id, visitor from visitors where day = ${day}`.execute(reads)
  const visitors = rows.map((row) => ({ ...row, day }))
  await insertRows(db, 'visitors', ['day'], visitors, sql`on conflict do nothing`)
}
