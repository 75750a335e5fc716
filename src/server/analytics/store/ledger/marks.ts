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
