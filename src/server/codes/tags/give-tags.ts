import { randomUUID } from 'node:crypto'
import { foldedTag, TAGS_MAX, tagColours } from '#contract/codes/code-values.ts'
import { batchesOf } from '../../batches.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { Tables, Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { insertTags, linkTags, listTags, type TagRow, takeOtherTags } from './tags-store.ts'

export function tagRow(workspaceId: WorkspaceId, name: string, colour: string, now: Date): TagRow {
  return {
    id: randomUUID(),
    workspace_id: workspaceId,
    name,
    folded: foldedTag(name),
    colour,
    made_at: now.getTime(),
  }
}

/** @throws AppError tags_full */
export function refuseTooMany(kept: readonly Tables['tags'][], more: number): void {
  if (kept.length + more > TAGS_MAX) throw new AppError('tags_full')
}

/** The colour that fewest tags have, the first of those. */
export function rarestColour(kept: readonly Pick<Tables['tags'], 'colour'>[]): string {
  const timesOf = (colour: string) => kept.filter((row) => row.colour === colour).length
  return tagColours.reduce((rarest, colour) =>
    timesOf(colour) < timesOf(rarest) ? colour : rarest,
  )
}

/** The names without those that are one tag with another, in their order. */
export function distinctNames(names: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const name of names) {
    const folded = foldedTag(name)
    if (!byFolded.has(folded)) byFolded.set(folded, name)
  }
  return [...byFolded.values()]
}

type Tagged = { id: string; tags: readonly string[] }

/** Codes whose links are made without a pause: a code has up to CODE_TAGS_MAX, so that it is a millisecond of work. */
const CODES_AT_ONCE = 200

/**
 * Gives codes tags by their names, each code its own, besides those that it has; those that the account does not
 * have yet are made. The caller has locked the account. A code has at most CODE_TAGS_MAX, which the contract sees to.
 * @throws AppError tags_full
 */
export async function giveTags(
  tx: Tx,
  workspaceId: WorkspaceId,
  codes: readonly Tagged[],
  now: Date,
): Promise<void> {
  const idOf = await tagIds(tx, workspaceId, new Set(codes.flatMap(({ tags }) => tags)), now)
  if (idOf.size === 0) return
  for (const some of batchesOf(codes, CODES_AT_ONCE)) {
    await linkTags(
      tx,
      some.flatMap(({ id, tags }) =>
        tags.map((name) => ({ code_id: id, tag_id: idOf.get(name) ?? '' })),
      ),
    )
  }
}

/** Gives a code exactly these tags, as `giveTags`. Returns whether it had others. @throws AppError tags_full */
export async function replaceTags(
  tx: Tx,
  workspaceId: WorkspaceId,
  { id, tags }: Tagged,
  now: Date,
): Promise<boolean> {
  const ids = [...(await tagIds(tx, workspaceId, new Set(tags), now)).values()]
  const gained = await linkTags(
    tx,
    ids.map((tag_id) => ({ code_id: id, tag_id })),
  )
  const lost = await takeOtherTags(tx, id, ids)
  return gained + lost > 0
}

/** The ids of the account's tags by these names, in whichever case. @throws AppError tags_full */
async function tagIds(
  tx: Tx,
  workspaceId: WorkspaceId,
  names: ReadonlySet<string>,
  now: Date,
): Promise<ReadonlyMap<string, string>> {
  if (names.size === 0) return new Map()
  const kept = await listTags(tx, workspaceId)
  const known = new Map(kept.map(({ folded, id }) => [folded, id]))
  const missing = distinctNames([...names]).filter((name) => !known.has(foldedTag(name)))
  refuseTooMany(kept, missing.length)
  const made: TagRow[] = []
  for (const name of missing) {
    made.push(tagRow(workspaceId, name, rarestColour([...kept, ...made]), now))
  }
  await insertTags(tx, made)
  for (const { folded, id } of made) known.set(folded, id)
  return new Map([...names].map((name) => [name, known.get(foldedTag(name)) ?? '']))
}
