import type { Db, Tx } from '../database/schema.ts'

/** How far a job has come. */
export type Mark = { at: number; place: string }

export async function findMark(db: Db, name: string): Promise<Mark | undefined> {
  return db
    .selectFrom('webhook_marks')
    .select(['at', 'place'])
    .where('name', '=', name)
    .executeTakeFirst()
}

/** Moves a mark. Returns false if another process was quicker. */
export async function moveMark(
  tx: Tx,
  name: string,
  { from, to }: { from: Mark | undefined; to: Mark },
): Promise<boolean> {
  if (!from) {
    const added = await tx
      .insertInto('webhook_marks')
      .values({ name, ...to })
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .execute()
    return added.length > 0
  }
  const { numUpdatedRows } = await tx
    .updateTable('webhook_marks')
    .set(to)
    .where('name', '=', name)
    .where('at', '=', from.at)
    .where('place', '=', from.place)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
