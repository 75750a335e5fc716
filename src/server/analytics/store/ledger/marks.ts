import type { Db } from '../../../database/schema.ts'

/** How far a job on the ledger has come. */
export type Mark = { at: number; place: string }

export async function markOf(db: Db, name: string): Promise<Mark | undefined> {
  return db
    .selectFrom('ledger_marks')
    .select(['at', 'place'])
    .where('name', '=', name)
    .executeTakeFirst()
}

export async function setMark(db: Db, name: string, at: number, place = ''): Promise<void> {
  await db
    .insertInto('ledger_marks')
    .values({ name, at, place })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, place }))
    .execute()
}

/** Its `at` is the first UTC day whose ledger is whole. Retention raises it. */
export const FIRST_COMPLETE_DAY = 'whole-from'

/** Of UTC days before this one the rollups know more than the ledger. */
export async function firstCompleteDay(db: Db): Promise<number> {
  return (await markOf(db, FIRST_COMPLETE_DAY))?.at ?? 0
}

/** Call it before a scan goes. */
export async function raiseFirstCompleteDay(db: Db, day: number): Promise<void> {
  if ((await firstCompleteDay(db)) < day) await setMark(db, FIRST_COMPLETE_DAY, day)
}
