import { type SqlBool, sql, type Updateable } from 'kysely'
import { IMPORTS_LISTED, type ImportRowsQuery } from '#contract/imports.ts'
import { uuidOf } from '#contract/text.ts'
import { MINUTE_MS } from '#contract/time.ts'
import { CLOCKS_APART_MS, clampFutureTimes } from '../../clock.ts'
import type { Db, ImportRowsTable, ImportsTable, Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'

export type ImportRecord = ImportsTable
export type StagedRow = ImportRowsTable

const SHOWN = ['checked', 'publishing', 'published'] as const

/** The account's imports, newest first, without those that are being read or were abandoned. */
export async function listImports(db: Db, userId: string): Promise<ImportRecord[]> {
  return db
    .selectFrom('imports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('state', 'in', SHOWN)
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .limit(IMPORTS_LISTED)
    .execute()
}

/** An import of the account by the id in a path. @throws AppError not_found */
export async function ownImport(db: Db, userId: string, text: string): Promise<ImportRecord> {
  const id = uuidOf(text)
  const found =
    id &&
    (await db
      .selectFrom('imports')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('state', 'in', SHOWN)
      .executeTakeFirst())
  if (!found) throw new AppError('not_found')
  return found
}

export async function insertImport(db: Db, row: ImportRecord): Promise<void> {
  await db.insertInto('imports').values(row).execute()
}

/** Changes an import in one of these states; false where it is in another one. */
export async function changeImport(
  db: Db,
  { id, states }: { id: string; states: readonly ImportRecord['state'][] },
  change: Updateable<ImportsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('imports')
    .set(change)
    .where('id', '=', id)
    .where('state', 'in', states)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Abandons all but the newest files that an account has not used. */
export async function abandonOlder(db: Db, userId: string, keep: number): Promise<void> {
  const older = db
    .selectFrom('imports')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'checked')
    .orderBy('made_at', 'desc')
    .orderBy('id')
    .offset(keep)
    // SQLite takes no offset without a limit.
    .limit(1_000)
  await db
    .updateTable('imports')
    .set({ state: 'abandoned' })
    .where('id', 'in', older)
    .where('state', '=', 'checked')
    .execute()
}

/** A process has ended with it in hand, or has let it go, or a clock has gone back. */
const isFree = (at: number) =>
  sql<SqlBool>`(held_until is null or held_until <= ${at} or held_until > ${at + LEASE_MS + CLOCKS_APART_MS})`

/** So long a process has for one step. Then another one may go on. */
export const LEASE_MS = MINUTE_MS

/** Imports with something left to do that no process has. */
export async function waitingImports(db: Db, now: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('imports')
    .select('id')
    .where((row) =>
      row.or([
        row('state', '=', 'publishing'),
        row.and([row('state', '=', 'published'), row('told', '<', row.ref('rows'))]),
      ]),
    )
    .where(isFree(now.getTime()))
    .orderBy('made_at')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes an import that no process has; undefined where another one was quicker. */
export async function takeImport(db: Db, id: string, holder: string, now: Date) {
  return db
    .updateTable('imports')
    .set({ holder, held_until: now.getTime() + LEASE_MS })
    .where('id', '=', id)
    .where('state', 'in', ['publishing', 'published'])
    .where(isFree(now.getTime()))
    .returningAll()
    .executeTakeFirst()
}

/** Goes on with an import, and changes it; undefined where it is another's by now, or abandoned. */
export async function keepImport(
  db: Db,
  { id, holder, state }: { id: string; holder: string; state: ImportRecord['state'] },
  change: Updateable<ImportsTable>,
  now: Date,
) {
  return db
    .updateTable('imports')
    .set({ held_until: now.getTime() + LEASE_MS, ...change })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst()
}

export async function leaveImport(db: Db, id: string, holder: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ holder: null, held_until: null })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

export async function insertRows(tx: Tx, rows: readonly StagedRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('import_rows').values(rows).execute()
}

/** Some rows of an import, in their order. */
export async function rowsFrom(
  db: Db,
  id: string,
  { from, limit, only }: { from: number; limit: number; only?: ImportRowsQuery['only'] },
): Promise<StagedRow[]> {
  let query = db
    .selectFrom('import_rows')
    .selectAll()
    .where('import_id', '=', id)
    .where('n', '>=', from)
  if (only === 'problems') query = query.where('problems', 'is not', null)
  if (only === 'lost-paths') query = query.where('lost_path', 'is not', null)
  return query.orderBy('n').limit(limit).execute()
}

/** Which of these names some code has, or had. */
export async function takenKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('paths')
    .select('key')
    .where('key', 'in', [...keys])
    .execute()
  return new Set(rows.map(({ key }) => key))
}

/** Says why these rows go without the custom path that they ask for; null gives it back to them. */
export async function setLostPath(
  db: Db,
  id: string,
  numbers: readonly number[],
  why: string | null,
) {
  if (numbers.length === 0) return
  await db
    .updateTable('import_rows')
    .set({ lost_path: why })
    .where('import_id', '=', id)
    .where('n', 'in', [...numbers])
    .execute()
}

export async function countLostPaths(db: Db, id: string): Promise<number> {
  const { count } = await db
    .selectFrom('import_rows')
    .select((row) => row.fn.countAll().as('count'))
    .where('import_id', '=', id)
    .where('lost_path', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function setShortCode(db: Db, id: string, n: number, shortCode: string) {
  await db
    .updateTable('import_rows')
    .set({ short_code: shortCode })
    .where('import_id', '=', id)
    .where('n', '=', n)
    .execute()
}

/** Abandons what is too old. What a process has in hand, or what is still told, goes on. */
export async function abandonOld(
  db: Db,
  { openMs, usedMs, readingMs }: { openMs: number; usedMs: number; readingMs: number },
  now: Date,
): Promise<void> {
  const at = now.getTime()
  await clampFutureTimes(db, 'imports', 'made_at', now)
  await clampFutureTimes(db, 'imports', 'published_at', now)
  const abandon = db.updateTable('imports').set({ state: 'abandoned' })
  await abandon
    .where('state', '=', 'reading')
    .where('made_at', '<=', at - readingMs)
    .execute()
  await abandon
    .where('state', '=', 'checked')
    .where('made_at', '<=', at - openMs)
    .execute()
  await abandon
    .where('state', '=', 'publishing')
    .where('made_at', '<=', at - 2 * openMs)
    .where(isFree(at))
    .execute()
  await abandon
    .where('state', '=', 'published')
    .where('published_at', '<=', at - usedMs)
    .where((row) => row('told', '=', row.ref('rows')))
    .execute()
}

/** Removes abandoned imports with their rows, a few at a time; one of an account where it is named. */
export async function removeAbandoned(db: Db, userId?: string): Promise<void> {
  for (;;) {
    let query = db.selectFrom('imports').select('id').where('state', '=', 'abandoned')
    if (userId !== undefined) query = query.where('user_id', '=', userId)
    const found = await query.limit(1).executeTakeFirst()
    if (!found) return
    await removeRows(db, found.id)
    await db.deleteFrom('imports').where('id', '=', found.id).execute()
  }
}

/** Rows that one statement deletes. */
const BATCH = 1_000

async function removeRows(db: Db, id: string): Promise<void> {
  for (let end = BATCH; ; end += BATCH) {
    await db.deleteFrom('import_rows').where('import_id', '=', id).where('n', '<', end).execute()
    const left = db.selectFrom('import_rows').select('n').where('import_id', '=', id).limit(1)
    if (!(await left.executeTakeFirst())) return
  }
}

/** Removes all imports of an account. Codes that they have made stay. */
export async function removeImports(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('imports')
    .set({ state: 'abandoned' })
    .where('user_id', '=', userId)
    .execute()
  await removeAbandoned(db, userId)
}
