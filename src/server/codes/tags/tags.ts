import { CODE_TAGS_MAX, foldedTag, type TagColour } from '#contract/codes/code-values.ts'
import type { NewTag, Tag, TagChange, TaggedCodes } from '#contract/codes/tags.ts'
import { type Actor, makeAs, transactAs } from '../../actor.ts'
import { AppError, refusedAt } from '../../http/errors.ts'
import { changeCodes } from '../change-code.ts'
import { ownCodes } from '../codes-store.ts'
import { shownName } from '../rules.ts'
import type { CodeDeps } from '../types.ts'
import { rarestColour, refuseTooMany, tagRow } from './give-tags.ts'
import {
  codesByTag,
  codesWith,
  insertTags,
  linkTags,
  listTags,
  ownTag,
  removeTag,
  renewCodesWith,
  type TagRow,
  tagCounts,
  takeTag,
  updateTag,
} from './tags-store.ts'

type Deps = Pick<CodeDeps, 'db' | 'clock'>
type PublishingDeps = Pick<CodeDeps, 'db' | 'publish'>

/** @param codes how many codes have each tag, by the tag's id */
export function presentTag(row: TagRow, codes: ReadonlyMap<string, number>): Tag {
  return {
    id: row.id,
    name: row.name,
    colour: row.colour as TagColour,
    codes: codes.get(row.id) ?? 0,
    createdAt: new Date(row.made_at).toISOString(),
  }
}

/**
 * Refuses a name that another tag of the account has, in whichever case.
 * @throws AppError tag_name_taken
 */
function refuseSameName(kept: readonly TagRow[], id: string, name: string): void {
  const isTaken = kept.some((row) => row.id !== id && row.folded === foldedTag(name))
  if (isTaken) throw refusedAt('tag_name_taken', 'name')
}

/** @throws AppError tags_full, tag_name_taken, idempotency_key_reused */
export function makeTag({ db, clock }: Deps, actor: Actor, wanted: NewTag): Promise<TagRow> {
  const { workspaceId } = actor
  return makeAs(db, actor, async (tx) => {
    const kept = await listTags(tx, workspaceId)
    refuseSameName(kept, '', wanted.name)
    refuseTooMany(kept, 1)
    const row = tagRow(workspaceId, wanted.name, wanted.colour ?? rarestColour(kept), clock())
    await insertTags(tx, [row])
    return row
  })
}

/**
 * A new name is a change of each code that has the tag; a new colour is none. A call that changes one of these
 * codes and does not know of it is refused. Webhooks get one event of the tag: one click would send thousands of
 * its codes.
 * @throws AppError not_found, tag_name_taken
 */
export function changeTag(
  deps: PublishingDeps,
  actor: Actor,
  id: string,
  { name, colour }: TagChange,
): Promise<TagRow> {
  const { workspaceId } = actor
  return transactAs(deps.db, actor, async (tx) => {
    const row = await ownTag(tx, workspaceId, id)
    if (name !== undefined) refuseSameName(await listTags(tx, workspaceId), id, name)
    const changed: TagRow = {
      ...row,
      name: name ?? row.name,
      folded: foldedTag(name ?? row.name),
      colour: colour ?? row.colour,
    }
    const isRenamed = changed.name !== row.name
    if (!isRenamed && changed.colour === row.colour) return row
    await updateTag(tx, changed)
    if (isRenamed) await renewCodesWith(tx, id)
    await deps.publish(tx, workspaceId, 'tag.updated', async () => {
      const tag = presentTag(changed, await codesByTag(tx, workspaceId))
      return [{ ...tag, formerName: row.name }]
    })
    return changed
  })
}

/** Its codes lose it. @throws AppError not_found */
export async function deleteTag(deps: PublishingDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId } = actor
  await transactAs(deps.db, actor, async (tx) => {
    const row = await ownTag(tx, workspaceId, id)
    await deps.publish(tx, workspaceId, 'tag.deleted', async () => {
      return [presentTag(row, await codesByTag(tx, workspaceId))]
    })
    await renewCodesWith(tx, id)
    await removeTag(tx, id)
  })
}

/**
 * Gives codes a tag and takes it from others, all of them or none. Returns how many have other tags now.
 * @throws AppError not_found, code_not_found, code_tags_full
 */
export async function tagCodes(
  deps: CodeDeps,
  actor: Actor,
  id: string,
  { add, remove }: TaggedCodes,
): Promise<number> {
  const { workspaceId } = actor
  const changed = await changeCodes(deps, actor, async (tx) => {
    const tag = await ownTag(tx, workspaceId, id)
    // A code in both lists keeps the tag.
    const added = new Set(add.map((each) => each.toLowerCase()))
    const wanted = [...new Set([...added, ...remove.map((each) => each.toLowerCase())])]
    const codes = wanted.length > 0 ? await ownCodes(tx, workspaceId, wanted) : []
    const having = await codesWith(tx, tag.id, wanted)
    const gaining = codes.filter((code) => added.has(code.id) && !having.has(code.id))
    const losing = codes.filter((code) => !added.has(code.id) && having.has(code.id))
    const [gainingIds, losingIds] = [gaining.map(({ id }) => id), losing.map(({ id }) => id)]
    const counts = await tagCounts(tx, gainingIds)
    for (const code of gaining) refuseFullCode(code.name, counts.get(code.id) ?? 0)
    await linkTags(
      tx,
      gainingIds.map((code_id) => ({ code_id, tag_id: tag.id })),
    )
    await takeTag(tx, losingIds, tag.id)
    return { ids: [...gainingIds, ...losingIds], columns: {} }
  })
  return changed.length
}

/** Refuses one more tag for a code that has as many as it can. @throws AppError code_tags_full */
function refuseFullCode(name: string, tags: number): void {
  if (tags < CODE_TAGS_MAX) return
  throw new AppError(
    'code_tags_full',
    `“${shownName(name)}” already has ${CODE_TAGS_MAX} tags, the most a QR code can have. ` +
      'Remove one first. No QR code was changed.',
  )
}
