import { sql } from 'kysely'
import type { Database } from '../../../database/connect.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { VISITOR_DAYS } from '../../record/salts.ts'
import { idFromDay } from '../ledger/scan-ids.ts'
import { noteRewritten } from './rewritten-day.ts'

/** Rows in one transaction */
const ROWS = 500

type Wrong = { id: string; first: number }

/**
 * Makes one of a person's scans of a code on a UTC day his first: where none is or several are, the
 * earliest. Who was seen on the newest days is noted too. Answers how many rows it changed.
 */
export async function mendFirsts(database: Database, day: number, today: number): Promise<number> {
  const { db, reads } = database
  if (day >= today - VISITOR_DAYS) await mendVisitors(database, day)
  const wrong = await wrongFirsts(reads, day)
  for (let start = 0; start < wrong.length; start += ROWS) {
    const rows = wrong.slice(start, start + ROWS)
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
  const scans = sql`id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}`
  const { rows: strays } = await sql<Wrong>`select id, 0 as first from scans
    where ${scans} and "first" = 1 and (class <> 'person' or visitor is null)`.execute(db)
  const { rows: doubled } = await sql<Wrong>`select id, 0 as first from (
      select id, row_number() over (partition by code_id, visitor order by id) as place from scans
      where ${scans} and "first" = 1 and class = 'person' and visitor is not null) as firsts
    where place > 1`.execute(db)
  const { rows: missing } = await sql<Wrong>`select min(id) as id, 1 as first from scans
    where ${scans} and class = 'person' and visitor is not null
    group by code_id, visitor having sum("first") = 0`.execute(db)
  return [...strays, ...doubled, ...missing]
}

async function mendVisitors({ db, reads }: Database, day: number): Promise<void> {
  const { rows: scanned } = await sql<{ code_id: string; visitor: string }>`
    select distinct code_id, visitor from scans
    where id >= ${idFromDay(day)} and id < ${idFromDay(day + 1)}
      and class = 'person' and visitor is not null`.execute(reads)
  const stored = await reads
    .selectFrom('visitors')
    .select(['code_id', 'visitor'])
    .where('day', '=', day)
    .execute()
  const known = new Set(stored.map(({ code_id, visitor }) => `${code_id} ${visitor}`))
  const rows = scanned.filter(({ code_id, visitor }) => !known.has(`${code_id} ${visitor}`))
  for (let start = 0; start < rows.length; start += ROWS) {
    await db
      .insertInto('visitors')
      .values(rows.slice(start, start + ROWS).map((row) => ({ ...row, day })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
