import { CODE_TAGS_MAX, foldedTag, TAGS_MAX, tagColours } from '#contract/tag-values.ts'
import type { TagsTable } from '../../database/schema.ts'
import { AppError, refusedAt } from '../../http/errors.ts'
import { shownName } from '../rules.ts'

/** @throws AppError tags_full */
export function refuseTooMany(kept: readonly TagsTable[], more: number): void {
  if (kept.length + more > TAGS_MAX) throw new AppError('tags_full')
}

/**
 * Refuses a name that another tag of the account has, in whichever case.
 * @throws AppError tag_name_taken
 */
export function refuseSameName(kept: readonly TagsTable[], id: string, name: string): void {
  const isTaken = kept.some((row) => row.id !== id && row.folded === foldedTag(name))
  if (!isTaken) return
  throw refusedAt('tag_name_taken', 'name')
}

/** The colour that fewest tags have, the first of those. */
export function rarestColour(kept: readonly Pick<TagsTable, 'colour'>[]): string {
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

/** Refuses one more tag for a code that has as many as it can. @throws AppError code_tags_full */
export function refuseFullCode(name: string, tags: number): void {
  if (tags < CODE_TAGS_MAX) return
  throw new AppError(
    'code_tags_full',
    `“${shownName(name)}” has ${CODE_TAGS_MAX} tags already, as many as a QR code can have. ` +
      'Remove one of them first. No QR code was changed.',
  )
}
