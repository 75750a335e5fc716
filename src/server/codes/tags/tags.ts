import { foldedTag } from '#contract/tag-values.ts'
import type { NewTag, TagChange, TaggedCodes } from '#contract/tags.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import type { LifecycleDeps } from '../change-code.ts'
import { publishCodes } from '../code-news.ts'
import { ownCodes, updateCodes } from '../codes-store.ts'
import { lockAccount } from '../usage-store.ts'
import { tagRow } from './give-tags.ts'
import { rarestColour, refuseFullCode, refuseSameName, refuseTooMany } from './tag-rules.ts'
import {
  addTags,
  codesWith,
  findTag,
  insertTags,
  listTags,
  removeTag,
  renewCodesWith,
  type TagRow,
  tagCounts,
  takeTags,
  updateTag,
} from './tags-store.ts'

type Deps = Pick<LifecycleDeps, 'db' | 'clock'>

/** @throws AppError tags_full, tag_name_taken */
export async function makeTag({ db, clock }: Deps, userId: string, wanted: NewTag) {
  return transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const kept = await listTags(tx, userId)
    refuseSameName(kept, '', wanted.name)
    refuseTooMany(kept, 1)
    const row = tagRow(userId, wanted.name, wanted.colour ?? rarestColour(kept), clock())
    await insertTags(tx, [row])
    return row
  })
}

/**
 * A new name is a change of each code that has the tag; a new colour is none. A call that changes one of these
 * codes and does not know of it is told. Webhooks are not: one click would send thousands of events.
 * @throws AppError not_found, tag_name_taken
 */
export async function changeTag(
  { db }: Deps,
  userId: string,
  id: string,
  { name, colour }: TagChange,
): Promise<TagRow> {
  return transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const row = await ownTag(tx, userId, id)
    if (name !== undefined) refuseSameName(await listTags(tx, userId), id, name)
    const changed: TagRow = {
      ...row,
      name: name ?? row.name,
      folded: foldedTag(name ?? row.name),
      colour: colour ?? row.colour,
    }
    await updateTag(tx, changed)
    if (changed.name !== row.name) await renewCodesWith(tx, id)
    return changed
  })
}

async function ownTag(tx: Tx, userId: string, id: string): Promise<TagRow> {
  const row = await findTag(tx, userId, id)
  if (!row) throw new AppError('not_found')
  return row
}

/** Its codes lose it. @throws AppError not_found */
export async function forgetTag({ db }: Deps, userId: string, id: string): Promise<void> {
  await transact(db, async (tx) => {
    await lockAccount(tx, userId)
    await ownTag(tx, userId, id)
    await renewCodesWith(tx, id)
    await removeTag(tx, id)
  })
}

type TagCodesDeps = Deps & Pick<LifecycleDeps, 'record' | 'publish' | 'publicUrl' | 'onCodeChanged'>

/**
 * Gives codes a tag and takes it from others, all of them or none. Answers how many have other tags now.
 * @throws AppError not_found, code_not_found, code_tags_full
 */
export async function tagCodes(
  deps: TagCodesDeps,
  userId: string,
  id: string,
  { add, remove }: TaggedCodes,
): Promise<number> {
  const { db, record } = deps
  const changed = await transact(db, async (tx) => {
    await lockAccount(tx, userId)
    const tag = await ownTag(tx, userId, id)
    // A code in both lists keeps the tag.
    const added = new Set(add.map((each) => each.toLowerCase()))
    const removed = remove.map((each) => each.toLowerCase()).filter((each) => !added.has(each))
    const wanted = [...new Set([...added, ...removed])]
    const codes = wanted.length > 0 ? await ownCodes(tx, userId, wanted) : []
    const having = await codesWith(tx, tag.id, wanted)
    const gaining = codes.filter((code) => added.has(code.id) && !having.has(code.id))
    const losing = codes.filter((code) => !added.has(code.id) && having.has(code.id))
    const counts = await tagCounts(
      tx,
      gaining.map((code) => code.id),
    )
    for (const code of gaining) refuseFullCode(code.name, counts.get(code.id) ?? 0)
    const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id)
    await addTags(tx, idsOf(gaining), [tag.id])
    await takeTags(tx, idsOf(losing), [tag.id])
    const changed = idsOf([...gaining, ...losing])
    await updateCodes(tx, changed, {})
    for (const codeId of changed) await record(tx, 'code-changed', codeId)
    if (changed.length > 0) {
      await publishCodes(deps, tx, 'code.updated', await ownCodes(tx, userId, changed))
    }
    return changed.length
  })
  // No name leads elsewhere now.
  deps.onCodeChanged([])
  return changed
}
