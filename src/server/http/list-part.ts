import { CURSOR_PAGE } from '#contract/code-values.ts'
import type { PartQuery } from '#contract/codes.ts'
import { z } from '#contract/zod.ts'
import { invalidInput } from './errors.ts'

/** A place in a list as a text, which programs send back for the next part. */
export const cursorFor = (place: unknown) =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** The place that a cursor names. @throws AppError invalid_input if it is not of this list */
export function placeIn<Place>(cursor: string, place: z.ZodType<Place>): Place {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    const message = 'This cursor isn’t from this list. Start again without one.'
    throw invalidInput([{ path: 'cursor', message }])
  }
}

const place = z.tuple([z.int().min(0), z.string()])

/**
 * A short list as it is, or the part of it that a query asks for. The cursor has the place and the id of the last
 * item: if that one is gone, the next part begins at its place.
 * @throws AppError invalid_input for a wrong cursor
 */
export function partOfList<Item extends { id: string }>(
  items: Item[],
  { limit, cursor }: PartQuery,
): Item[] | { items: Item[]; nextCursor: string | null } {
  if (limit === undefined && cursor === undefined) return items
  const start = cursor === undefined ? 0 : startAfter(items, cursor)
  const end = start + (limit ?? CURSOR_PAGE.default)
  const last = items[end - 1]
  const nextCursor = last && end < items.length ? cursorFor([end - 1, last.id]) : null
  return { items: items.slice(start, end), nextCursor }
}

function startAfter(items: { id: string }[], cursor: string): number {
  const [index, id] = placeIn(cursor, place)
  const at = items.findIndex((item) => item.id === id)
  return at < 0 ? index : at + 1
}

/** The whole answer of a list that has more beside its items, if no part was asked for. */
export const wholeUnless = <Part, Whole>(found: unknown[] | Part, whole: Whole): Part | Whole =>
  Array.isArray(found) ? whole : found
