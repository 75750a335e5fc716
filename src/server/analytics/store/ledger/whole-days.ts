import type { Db } from '../../../database/schema.ts'
import { markOf, setMark } from './marks.ts'

/** In ledger_marks: its `at` is the first UTC day whose ledger is whole. Retention raises it. */
export const WHOLE_FROM = 'whole-from'

/** Of UTC days before this one the rollups know more than the ledger. */
export async function wholeFrom(db: Db): Promise<number> {
  return (await markOf(db, WHOLE_FROM))?.at ?? 0
}

/** Call it before a scan goes. */
export async function raiseWholeFrom(db: Db, day: number): Promise<void> {
  if ((await wholeFrom(db)) < day) await setMark(db, WHOLE_FROM, day)
}
