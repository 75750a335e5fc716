import type { Db } from './schema.ts'

/**
 * Notes about the whole database, each with its instant in epoch ms:
 * - `arriving`: a restore or a copy into this database has not finished.
 * - `moving`: `copy-database` needs the database to itself until this instant.
 * - `moved`: this database was copied to another one, which serves in its place.
 * - `held`: mails and webhooks wait since a restore.
 * - `backup`: the last backup; the value is its file.
 */
export type MarkName = 'arriving' | 'moving' | 'moved' | 'held' | 'backup'
export type Mark = { at: number; value: string }

/** A mark, or undefined if it is not set. */
export async function findMark(db: Db, name: MarkName): Promise<Mark | undefined> {
  const marks = db.selectFrom('service_marks').select(['at', 'value'])
  return marks.where('name', '=', name).executeTakeFirst()
}

export async function setMark(db: Db, name: MarkName, { at, value }: Mark): Promise<void> {
  await db
    .insertInto('service_marks')
    .values({ name, at, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at, value }))
    .execute()
}

export async function removeMark(db: Db, name: MarkName): Promise<void> {
  await db.deleteFrom('service_marks').where('name', '=', name).execute()
}
