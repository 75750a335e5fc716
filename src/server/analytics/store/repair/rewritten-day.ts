import type { Db, Tx } from '../../../database/schema.ts'
import { setMark } from '../ledger/marks.ts'
import { noteLedgerChange } from '../packs/packs-state.ts'

/**
 * In ledger_marks: its `at` is the UTC day of which rows in the ledger were changed, so that rollups, first
 * visits and packs may still be those of the rows before. One day at a time is in work (mending.ts).
 */
const REWRITTEN = 'rewritten-day'

/** Who changes rows of a day calls it in his transaction. The day has to be mended even if he is killed. */
export async function noteRewritten(tx: Tx, day: number): Promise<void> {
  await noteLedgerChange(tx)
  await setMark(tx, REWRITTEN, day)
}

/** The day that was not mended to its end. */
export async function rewrittenDay(db: Db): Promise<number | undefined> {
  const mark = db.selectFrom('ledger_marks').select('at').where('name', '=', REWRITTEN)
  return (await mark.executeTakeFirst())?.at
}

export async function noteMended(db: Db): Promise<void> {
  await db.deleteFrom('ledger_marks').where('name', '=', REWRITTEN).execute()
}
