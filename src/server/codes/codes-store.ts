import {
  type Expression,
  type ExpressionBuilder,
  type NotNull,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely'
import { LIST_MAX, PAGE_SIZE } from '#contract/code-values.ts'
import type { CodeListQuery } from '#contract/codes.ts'
import { foldedTag } from '#contract/tag-values.ts'
import { uuidOf } from '#contract/text.ts'
import type { QuickReads } from '../database/quick-reads.ts'
import type { CodesTable, Db, Tables, Tx } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'

export type CodeRow = Selectable<CodesTable>

/** A code in the bin. */
export type DeletedRow = CodeRow & { deleted_at: number }

/**
 * The id of a code in a path. Any other text is answered like the id of a missing code, and never
 * reaches the database.
 * @throws AppError code_not_found
 */
export function codeIdFrom(text: string): string {
  const id = uuidOf(text)
  if (!id) throw new AppError('code_not_found')
  return id
}

/** A code or draft of this account, unless it is in the bin. */
export async function findCode(db: Db, userId: string, id: string): Promise<CodeRow | undefined> {
  return owned(db, userId, id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** A code of this account that is in the bin. */
export async function findDeleted(db: Db, userId: string, id: string) {
  return owned(db, userId, id).where('deleted_at', 'is not', null).executeTakeFirst()
}

function owned(db: Db, userId: string, id: string) {
  return db.selectFrom('codes').selectAll().where('id', '=', id).where('user_id', '=', userId)
}

/** `findCode` by the id in a path. @throws AppError code_not_found */
export async function ownCode(db: Db, userId: string, id: string): Promise<CodeRow> {
  const row = await findCode(db, userId, codeIdFrom(id))
  if (!row) throw new AppError('code_not_found')
  return row
}

/** Writes a new code or draft. Its short code has been claimed before. */
export async function insertCode(tx: Tx, row: CodeRow): Promise<void> {
  await tx.insertInto('codes').values(row).execute()
}

/** Rows in one statement: about twenty columns each, far below the 32,766 parameters that SQLite takes. */
const INSERTED_AT_ONCE = 250

/** Writes new codes, in the caller's transaction all or none. Their short codes have been claimed before. */
export async function insertCodes(tx: Tx, rows: readonly CodeRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += INSERTED_AT_ONCE) {
    await tx
      .insertInto('codes')
      .values(rows.slice(start, start + INSERTED_AT_ONCE))
      .execute()
  }
}

/** The account's codes and drafts with these ids, in their order, each as often as it is asked for. @throws AppError code_not_found */
export async function ownCodes(db: Db, userId: string, ids: readonly string[]): Promise<CodeRow[]> {
  const asked = ids.map(codeIdFrom)
  const found = await db
    .selectFrom('codes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .where('saved_at', 'is not', null)
    .where('id', 'in', asked)
    .execute()
  const rowOf = new Map(found.map((row) => [row.id, row]))
  return asked.map((id) => {
    const row = rowOf.get(id)
    if (!row) throw new AppError('code_not_found')
    return row
  })
}

/** Changes columns of a code; nothing where it is gone. The caller has checked whose it is. */
export async function updateCode(tx: Tx, id: string, change: Updateable<CodesTable>) {
  await tx.updateTable('codes').set(change).where('id', '=', id).execute()
}

/** Changes columns of codes, each of which gets its next version. The caller has checked whose they are. */
export async function updateCodes(
  tx: Tx,
  ids: readonly string[],
  change: Updateable<CodesTable>,
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('codes')
    .set(change)
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', [...ids])
    .execute()
}

/** Turns a draft into a code; false if another request was first. */
export async function markSaved(tx: Tx, id: string, now: Date): Promise<boolean> {
  const at = now.getTime()
  return updateIf(tx, id, ['saved_at', 'is', null], { saved_at: at, created_at: at })
}

/** Moves a code to the bin; false if another request was first. */
export async function markDeleted(tx: Tx, id: string, now: Date): Promise<boolean> {
  return updateIf(tx, id, ['deleted_at', 'is', null], { deleted_at: now.getTime() })
}

/** Takes a code out of the bin; false if another request was first. */
export async function markRestored(tx: Tx, id: string): Promise<boolean> {
  return updateIf(tx, id, ['deleted_at', 'is not', null], { deleted_at: null })
}

async function updateIf(
  tx: Tx,
  id: string,
  condition: ['saved_at' | 'deleted_at', 'is' | 'is not', null],
  change: Updateable<CodesTable>,
): Promise<boolean> {
  const update = tx
    .updateTable('codes')
    .set(change)
    .where('id', '=', id)
    .where(...condition)
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Open drafts of an account, oldest first. */
export async function draftIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('codes')
    .select('id')
    .where('user_id', '=', userId)
    .where('saved_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes codes or drafts for good. The caller decides about their names: see paths-store.ts. */
export async function removeCodes(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('codes').where('id', 'in', ids).execute()
}

/** Removes up to `limit` drafts made before an instant; returns their ids. */
export async function removeStaleDrafts(tx: Tx, before: number, limit: number): Promise<string[]> {
  const removed = await removeOld(tx, limit, (row) =>
    row.and([row('saved_at', 'is', null), row('created_at', '<', before)]),
  )
  return removed.map(({ id }) => id)
}

/** A code that is gone, and whose it was. */
export type RemovedCode = { id: string; userId: string }

/** Removes up to `limit` codes that went into the bin before an instant. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<RemovedCode[]> {
  return removeOld(tx, limit, (row) => row('deleted_at', '<', before))
}

/** An account whose bin has more than `keep` codes, if there is one. */
export async function ownerOfFullBin(db: Db, keep: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('codes')
    .select('user_id')
    .where(inBin)
    .groupBy('user_id')
    .having((codes) => codes.fn.countAll(), '>', keep)
    .limit(1)
    .executeTakeFirst()
  return row?.user_id
}

/** Removes up to `limit` codes of an account's bin, but not the `keep` deleted last. */
export async function removeBinSurplus(
  tx: Tx,
  userId: string,
  { keep, limit }: { keep: number; limit: number },
): Promise<RemovedCode[]> {
  const bin = tx.selectFrom('codes').select('id').where('user_id', '=', userId).where(inBin)
  const surplus = bin.orderBy('deleted_at', 'desc').orderBy('id').offset(keep).limit(limit)
  return removeSome(tx, surplus.$asScalar(), inBin)
}

const inBin = (row: ExpressionBuilder<Tables, 'codes'>) => row('deleted_at', 'is not', null)

/** Drafts and deletions from the future (the clock went back) are of now, or no sweep would find them. */
export async function bringBack(db: Db, now: Date): Promise<void> {
  const at = now.getTime()
  await db
    .updateTable('codes')
    .set({ created_at: at })
    .where('saved_at', 'is', null)
    .where('created_at', '>', at)
    .execute()
  await db.updateTable('codes').set({ deleted_at: at }).where('deleted_at', '>', at).execute()
}

type Condition = (row: ExpressionBuilder<Tables, 'codes'>) => Expression<SqlBool>

async function removeOld(tx: Tx, limit: number, condition: Condition): Promise<RemovedCode[]> {
  return removeSome(
    tx,
    tx.selectFrom('codes').select('id').where(condition).limit(limit).$asScalar(),
    condition,
  )
}

async function removeSome(
  tx: Tx,
  found: Expression<string>,
  condition: Condition,
): Promise<RemovedCode[]> {
  // The condition is checked again for each row: it may be saved or restored at this moment.
  const rows = await tx
    .deleteFrom('codes')
    .where('id', 'in', found)
    .where(condition)
    .returning(['id', 'user_id'])
    .execute()
  return rows.map(({ id, user_id }) => ({ id, userId: user_id }))
}

/** Removes the expiry of all codes of an account, also in the bin; returns their ids. */
export async function clearExpiry(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .updateTable('codes')
    .set({ expires_at: null })
    .where('user_id', '=', userId)
    .where('expires_at', 'is not', null)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The listed codes of an account, oldest first: the series of its charts. */
export async function listSeries(
  db: Db,
  userId: string,
): Promise<Pick<CodeRow, 'id' | 'name' | 'short_code'>[]> {
  return listed(db, userId)
    .select(['id', 'name', 'short_code'])
    .orderBy('created_at')
    .orderBy('id')
    .limit(LIST_MAX)
    .execute()
}

/** Ids in one statement, below the parameter limits of both engines. */
const IDS_MAX = 10_000

/** The accounts and versions of codes, drafts too, by id. */
export async function ownedCodes(
  db: Db,
  ids: string[],
): Promise<Map<string, { userId: string; version: number }>> {
  const codes = new Map<string, { userId: string; version: number }>()
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const rows = await db
      .selectFrom('codes')
      .select(['id', 'user_id', 'version'])
      .where('id', 'in', ids.slice(start, start + IDS_MAX))
      .execute()
    for (const { id, user_id: userId, version } of rows) codes.set(id, { userId, version })
  }
  return codes
}

/** The accounts of codes, drafts too, by id. */
export async function ownersOf(db: Db, ids: string[]): Promise<Map<string, string>> {
  const codes = await ownedCodes(db, ids)
  return new Map([...codes].map(([id, { userId }]) => [id, userId]))
}

/** The next `limit` listed codes of an account after one of them, oldest first. */
export async function listedAfter(
  db: Db,
  userId: string,
  after: { createdAt: number; id: string } | undefined,
  limit: number,
): Promise<CodeRow[]> {
  let query = listed(db, userId).selectAll()
  if (after) {
    query = query.where((row) =>
      row.or([
        row('created_at', '>', after.createdAt),
        row.and([row('created_at', '=', after.createdAt), row('id', '>', after.id)]),
      ]),
    )
  }
  return query.orderBy('created_at').orderBy('id').limit(limit).execute()
}

/** An account's list as it was asked for: a page of it, or at most LIST_MAX codes; and how many match in all. */
export async function listCodes(
  db: Db,
  userId: string,
  query: CodeListQuery,
  now: Date,
): Promise<{ rows: CodeRow[]; total: number }> {
  const codes = matching(db, userId, query, now)
  const { total } = await codes
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await sorted(codes, query)
    .selectAll()
    .limit(query.page ? PAGE_SIZE : LIST_MAX)
    .offset(query.page ? (query.page - 1) * PAGE_SIZE : 0)
    .execute()
  return { rows, total: Number(total) }
}

/** The codes of a list, newest first, as what sorts them by something that is not in their table. */
export async function listedKeys(
  db: Db,
  userId: string,
  query: CodeListQuery,
  now: Date,
): Promise<{ id: string; createdAt: number }[]> {
  return sorted(matching(db, userId, query, now), {})
    .select(['id', 'created_at as createdAt'])
    .limit(LIST_MAX)
    .execute()
}

/** The ids of a list that the table of codes can sort, in its order. */
export async function listedIds(
  db: Db,
  userId: string,
  query: CodeListQuery,
  now: Date,
): Promise<string[]> {
  const rows = await sorted(matching(db, userId, query, now), query)
    .select('id')
    .limit(LIST_MAX)
    .execute()
  return rows.map(({ id }) => id)
}

/** These listed codes of an account, in the order of their ids here. */
export async function listedByIds(db: Db, userId: string, ids: string[]): Promise<CodeRow[]> {
  if (ids.length === 0) return []
  const rows = await listed(db, userId).selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id)).filter((row) => row !== undefined)
}

/** The listed codes of an account that a list asks for. */
export const matching = (db: Db, userId: string, query: CodeListQuery, now: Date) =>
  filtered(listed(db, userId), userId, query, now)

export type CodesQuery = SelectQueryBuilder<Tables, 'codes', object>

/** The codes in an account's list: saved, and not in the bin. */
function listed(db: Db, userId: string): CodesQuery {
  return db
    .selectFrom('codes')
    .where('user_id', '=', userId)
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
}

function filtered(
  codes: CodesQuery,
  userId: string,
  { q, status, tag }: CodeListQuery,
  now: Date,
): CodesQuery {
  let query = codes
  if (tag) {
    query = query.where('codes.id', 'in', (tags) =>
      tags
        .selectFrom('code_tags')
        .innerJoin('tags', 'tags.id', 'code_tags.tag_id')
        .select('code_tags.code_id')
        .where('tags.user_id', '=', userId)
        .where('tags.folded', '=', foldedTag(tag)),
    )
  }
  if (q) {
    const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    query = query.where((row) =>
      row.or(
        (['name', 'url', 'vanity_url', 'short_code'] as const).map(
          (column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`,
        ),
      ),
    )
  }
  if (status === 'unscanned') return query
  if (status === 'inactive') return query.where('paused_at', 'is not', null)
  if (status) query = query.where('paused_at', 'is', null)
  if (status === 'expired') query = query.where('expires_at', '<', now.getTime())
  if (status === 'active') {
    query = query.where((row) =>
      row.or([row('expires_at', 'is', null), row('expires_at', '>=', now.getTime())]),
    )
  }
  return query
}

/** By scans sorts who has them. */
const sortColumns = {
  created: 'created_at',
  name: 'name',
  url: 'url',
  scans: 'created_at',
} as const

/** What a list is sorted by: a value, and the id among equal ones. */
export function orderOf({ sort = '-created' }: CodeListQuery) {
  const field = sort.replace('-', '') as keyof typeof sortColumns
  const column = sortColumns[field]
  const ref = sql.ref<string | number>(column)
  return {
    value: column === 'created_at' ? ref : sql<string | number>`lower(${ref})`,
    direction: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
  }
}

function sorted(codes: CodesQuery, query: CodeListQuery): CodesQuery {
  const { value, direction } = orderOf(query)
  return codes.orderBy(value, direction).orderBy('id', direction)
}

/** The codes in an account's bin, the last deleted first, at most LIST_MAX. */
export async function listDeleted(db: Db, userId: string): Promise<DeletedRow[]> {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .limit(LIST_MAX)
    .$narrowType<{ deleted_at: NotNull }>()
    .execute()
}

/** A code that stops working soon. */
export type EndingCode = { id: string; userId: string; name: string; expiresAt: number }

/** Working codes that stop between two instants, by account; those of at most `limit` accounts after one. */
export async function endingCodes(
  db: Db,
  { from, until, after, limit }: { from: number; until: number; after: string; limit: number },
): Promise<EndingCode[]> {
  const ending = db
    .selectFrom('codes')
    .where('expires_at', '>', from)
    .where('expires_at', '<=', until)
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .where('paused_at', 'is', null)
  const owners = ending
    .select('user_id')
    .distinct()
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
  return ending
    .select(['id', 'user_id as userId', 'name', 'expires_at as expiresAt'])
    .where('user_id', 'in', owners)
    .orderBy('user_id')
    .orderBy('expires_at')
    .orderBy('id')
    .$narrowType<{ expiresAt: NotNull }>()
    .execute()
}

/** The codes of these accounts that stopped working after `from`, up to `until`; LIST_MAX of them at most. */
export async function expiredCodes(
  db: Db,
  { userIds, from, until }: { userIds: string[]; from: number; until: number },
): Promise<CodeRow[]> {
  return db
    .selectFrom('codes')
    .selectAll()
    .where('expires_at', '>', from)
    .where('expires_at', '<=', until)
    .where('user_id', 'in', userIds)
    .where('saved_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('expires_at')
    .limit(LIST_MAX)
    .execute()
}

/** Removes up to `limit` codes and drafts of an account, also from the bin; returns which they were. */
export async function removeAny(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<{ id: string; isDraft: boolean }[]> {
  const some = tx.selectFrom('codes').select('id').where('user_id', '=', userId).limit(limit)
  const rows = await tx
    .deleteFrom('codes')
    .where('id', 'in', some)
    .where('user_id', '=', userId)
    .returning(['id', 'saved_at'])
    .execute()
  return rows.map(({ id, saved_at }) => ({ id, isDraft: saved_at === null }))
}

/** What the redirect needs to know of a name. */
export type Target = { id: string; url: string; paused: boolean; expiresAt: number | null }

/** Where each of these names leads, without those that have no live code. */
export async function resolvePaths(db: Db, keys: string[]): Promise<Map<string, Target>> {
  const rows = await liveNames(db, keys).execute()
  return new Map(rows.map((row) => [row.key, targetOf(row)]))
}

/**
 * `resolvePaths` for one name, in the thread that asks. Its function answers undefined where the
 * database cannot answer at once.
 */
export function resolvePathBy(quick: QuickReads, db: Db) {
  const find = quick.prepare(liveNames(db, ['']))
  return (key: string): { target: Target | undefined } | undefined => {
    const rows = find([key])
    return rows && { target: rows[0] && targetOf(rows[0]) }
  }
}

function liveNames(db: Db, keys: string[]) {
  return db
    .selectFrom('paths')
    .innerJoin('codes', 'codes.id', 'paths.code_id')
    .select(['paths.key', 'codes.id', 'codes.url', 'codes.paused_at', 'codes.expires_at'])
    .where('paths.key', 'in', keys)
    .where('codes.saved_at', 'is not', null)
    .where('codes.deleted_at', 'is', null)
}

function targetOf(row: Pick<CodeRow, 'id' | 'url' | 'paused_at' | 'expires_at'>): Target {
  const { id, url, paused_at, expires_at } = row
  return { id, url, paused: paused_at !== null, expiresAt: expires_at }
}
