import { sql } from 'kysely'
import { foldedTag, TAGS_MAX } from '#contract/codes/code-values.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { insertRows } from '../../database/json-rows.ts'
import type { Db, Tables, Tx } from '../../database/schema.ts'
import { changedRows } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'

export type TagRow = Tables['tags']

/** The account's tags, by name. */
export async function listTags(db: Db, workspaceId: WorkspaceId): Promise<TagRow[]> {
  return db
    .selectFrom('tags')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
    .limit(TAGS_MAX)
    .execute()
}

/** A tag of the account. @throws AppError not_found */
export async function ownTag(db: Db, workspaceId: WorkspaceId, id: string): Promise<TagRow> {
  const tags = db.selectFrom('tags').selectAll().where('workspace_id', '=', workspaceId)
  const row = await tags.where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Whether an account has a tag, by its name, whatever its capitals. */
export async function hasTag(db: Db, workspaceId: WorkspaceId, name: string): Promise<boolean> {
  const tags = db.selectFrom('tags').select('id').where('workspace_id', '=', workspaceId)
  return (await tags.where('folded', '=', foldedTag(name)).executeTakeFirst()) !== undefined
}

export async function insertTags(tx: Tx, rows: readonly TagRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('tags').values(rows).execute()
}

export async function updateTag(tx: Tx, row: TagRow): Promise<void> {
  await tx.updateTable('tags').set(row).where('id', '=', row.id).execute()
}

/** Removes a tag from the account and from its codes. */
export async function removeTag(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('tags').where('id', '=', id).execute()
}

/** How many listed codes have each of the account's tags, by the tag's id; without those of no code. */
export async function codesByTag(db: Db, workspaceId: WorkspaceId): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('tags')
    .innerJoin('code_tags', 'code_tags.tag_id', 'tags.id')
    .innerJoin('codes', 'codes.id', 'code_tags.code_id')
    .select(['tags.id', ({ fn }) => fn.countAll().as('codes')])
    .where('tags.workspace_id', '=', workspaceId)
    .where('codes.saved_at', 'is not', null)
    .where('codes.deleted_at', 'is', null)
    .groupBy('tags.id')
    .execute()
  return new Map(rows.map(({ id, codes }) => [id, Number(codes)]))
}

/** The names of the tags of an account's codes, by the code's id and in the order of the names. */
export type TagsOf = (code: { id: string }) => string[]

/**
 * Up to this many codes are asked for at once. For more of them each tag is read by itself: 200,000 links
 * in one answer would hold up redirects.
 */
const CODES_AT_ONCE = 100

/** Reads the tags of these codes of an account. */
export async function tagsOf(
  db: Db,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<TagsOf> {
  const names = new Map<string, string[]>()
  const links = db
    .selectFrom('tags')
    .innerJoin('code_tags', 'code_tags.tag_id', 'tags.id')
    .select(['name', 'code_id'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('folded')
  const add = async (some: typeof links) => {
    for (const { name, code_id } of await some.execute()) {
      const known = names.get(code_id)
      if (known) known.push(name)
      else names.set(code_id, [name])
    }
  }
  if (ids.length > CODES_AT_ONCE) {
    for (const { id } of await listTags(db, workspaceId)) await add(links.where('tags.id', '=', id))
  } else if (ids.length > 0) await add(links.where('code_id', 'in', [...ids]))
  return ({ id }) => names.get(id) ?? []
}

/** How many tags each of these codes has; a code without any is not there. */
export async function tagCounts(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('code_tags')
    .select(['code_id', ({ fn }) => fn.countAll().as('tags')])
    .where('code_id', 'in', [...ids])
    .groupBy('code_id')
    .execute()
  return new Map(rows.map(({ code_id, tags }) => [code_id, Number(tags)]))
}

/** Which of these codes have a tag. */
export async function codesWith(db: Db, tagId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Set<string>()
  const rows = await db
    .selectFrom('code_tags')
    .select('code_id')
    .where('tag_id', '=', tagId)
    .where('code_id', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ code_id }) => code_id))
}

/** Gives each code with a tag its next version. Those in the trash are more than a list of ids could hold. */
export async function renewCodesWith(tx: Tx, tagId: string): Promise<void> {
  await tx
    .updateTable('codes')
    .set((row) => ({ version: row('version', '+', 1) }))
    .where('id', 'in', tx.selectFrom('code_tags').select('code_id').where('tag_id', '=', tagId))
    .execute()
}

/** Gives codes tags, of which each link names one. Returns how many they did not have before. */
export async function linkTags(tx: Tx, rows: readonly Tables['code_tags'][]): Promise<number> {
  return insertRows(tx, 'code_tags', [], rows, sql`on conflict do nothing`)
}

/** Takes all tags from a code but these. Returns how many it lost. */
export async function takeOtherTags(
  tx: Tx,
  codeId: string,
  kept: readonly string[],
): Promise<number> {
  let others = tx.deleteFrom('code_tags').where('code_id', '=', codeId)
  if (kept.length > 0) others = others.where('tag_id', 'not in', [...kept])
  return changedRows(others)
}

/** Takes a tag from codes. */
export async function takeTag(tx: Tx, codeIds: readonly string[], tagId: string): Promise<void> {
  if (codeIds.length === 0) return
  await tx
    .deleteFrom('code_tags')
    .where('code_id', 'in', [...codeIds])
    .where('tag_id', '=', tagId)
    .execute()
}
