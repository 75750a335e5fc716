import { sql } from 'kysely'
import { putRow } from './rows.ts'
import type { Db } from './schema.ts'

/**
 * Notes about the whole database, each with its instant in epoch ms:
 * - `arriving`: a restore or a copy into this database has not finished.
 * - `moving`: `copy-database` needs the database to itself until this instant.
 * - `moved`: this database was copied to another one, which serves in its place.
 * - `held`: mails and webhooks wait since a restore.
 * - `backup`: the last backup; the value is its file.
 * - `payments`: the customers of Stripe are of this mode, `live` or `test`.
 * - `receipts`: receipts are mailed for invoices that were paid since.
 */
export type MarkName = 'arriving' | 'moving' | 'moved' | 'held' | 'backup' | 'payments' | 'receipts'
export type Mark = { at: number; value: string }

/** A mark, or undefined if it is not set. */
export async function findMark(db: Db, name: MarkName): Promise<Mark | undefined> {
  const marks = db.selectFrom('service_marks').select(['at', 'value'])
  return marks.where('name', '=', name).executeTakeFirst()
}

export async function setMark(db: Db, name: MarkName, { at, value }: Mark): Promise<void> {
  await putRow(db, 'service_marks', { name }, { at, value })
}

export async function removeMark(db: Db, name: MarkName): Promise<void> {
  await db.deleteFrom('service_marks').where('name', '=', name).execute()
}

/** A condition: mails and webhooks may go out. */
export const MAY_SEND = sql<boolean>`not exists (select 1 from service_marks where name = 'held')`

/** Until when the service must not write, in epoch ms: 0 if it may, and without end once the database has moved. */
export const STILL_UNTIL = `select coalesce(max(case name when 'moved' then 9e15 else at end), 0)
  from service_marks where name in ('moving', 'moved')`

/** How long a process believes what it has read. The copy waits longer before it relies on the mark. */
export const BELIEVED_MS = 1_000

/** Tells whether the database is being moved, so that saves must wait. It reads at most once a second. */
export function pausedWrites(db: Db): () => Promise<boolean> {
  let [readAt, until] = [Number.NEGATIVE_INFINITY, 0]
  return async () => {
    const now = performance.now()
    if (now - readAt >= BELIEVED_MS) {
      readAt = now
      const asked = sql<{ until: number }>`select (${sql.raw(STILL_UNTIL)}) as until`
      until = Number((await asked.execute(db)).rows[0]?.until)
    }
    return until > Date.now()
  }
}
