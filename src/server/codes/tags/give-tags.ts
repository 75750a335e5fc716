import { randomUUID } from 'node:crypto'
import { foldedTag } from '#contract/tag-values.ts'
import type { Tx } from '../../database/schema.ts'
import { distinctNames, rarestColour, refuseTooMany } from './tag-rules.ts'
import {
  addTags,
  insertTags,
  linkTags,
  listTags,
  type TagRow,
  tagIds,
  takeTags,
} from './tags-store.ts'

export function tagRow(userId: string, name: string, colour: string, now: Date): TagRow {
  return {
    id: randomUUID(),
    user_id: userId,
    name,
    folded: foldedTag(name),
    colour,
    made_at: now.getTime(),
  }
}

/**
 * Gives a code exactly these tags; those that the account does not have yet are made. The caller has
 * locked the account, and knows that there are not too many. Answers whether the code had others.
 * @throws AppError tags_full
 */
export async function giveTags(
  tx: Tx,
  userId: string,
  codeId: string,
  names: readonly string[],
  now: Date,
): Promise<boolean> {
  const wanted = await tagsNamed(tx, userId, names, now)
  const before = await tagIds(tx, codeId)
  const gained = wanted.filter((id) => !before.includes(id))
  const lost = before.filter((id) => !wanted.includes(id))
  await addTags(tx, [codeId], gained)
  await takeTags(tx, [codeId], lost)
  return gained.length + lost.length > 0
}

/** The ids of the account's tags with these names, in whichever case. @throws AppError tags_full */
export async function tagsNamed(
  tx: Tx,
  userId: string,
  names: readonly string[],
  now: Date,
): Promise<string[]> {
  if (names.length === 0) return []
  const kept = await listTags(tx, userId)
  const known = new Map(kept.map(({ folded, id }) => [folded, id]))
  const wanted = distinctNames(names)
  const missing = wanted.filter((name) => !known.has(foldedTag(name)))
  refuseTooMany(kept, missing.length)
  const made: TagRow[] = []
  for (const name of missing) {
    made.push(tagRow(userId, name, rarestColour([...kept, ...made]), now))
  }
  await insertTags(tx, made)
  for (const { folded, id } of made) known.set(folded, id)
  return wanted.flatMap((name) => known.get(foldedTag(name)) ?? [])
}

/**
 * Gives new codes tags by their names, each code its own; those that the account does not have yet are
 * made. The caller has locked the account. A code has at most CODE_TAGS_MAX, which the contract sees to.
 * @throws AppError tags_full
 */
export async function giveManyTags(
  tx: Tx,
  userId: string,
  codes: readonly { id: string; tags: readonly string[] }[],
  now: Date,
): Promise<void> {
  const names = distinctNames(codes.flatMap(({ tags }) => tags))
  const ids = await tagsNamed(tx, userId, names, now)
  const idOf = new Map(names.map((name, index) => [foldedTag(name), ids[index] ?? '']))
  const links = codes.flatMap(({ id, tags }) =>
    distinctNames(tags).map((name) => ({
      code_id: id,
      tag_id: idOf.get(foldedTag(name)) ?? '',
    })),
  )
  await linkTags(tx, links)
}
