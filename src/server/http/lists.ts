import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { CURSOR_PAGE } from '#contract/codes/code-values.ts'
import type { PartQuery } from '#contract/codes/codes.ts'
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

/** Rows put into JSON without a pause: about a millisecond, which a redirect can wait. */
const PART_ROWS = 100

/**
 * A list as JSON.stringify would give it, made in parts, so that redirects are answered in between.
 */
export const jsonList = <Row>(rows: readonly Row[], present: (row: Row) => unknown) =>
  listOfTexts(rows, (row) => JSON.stringify(present(row)))

/** The same of rows that are JSON already. @param partRows rows that are made without a pause */
export async function listOfTexts<Row>(
  rows: readonly Row[],
  textOf: (row: Row, index: number) => string,
  partRows = PART_ROWS,
): Promise<Buffer> {
  const parts = [Buffer.from('[')]
  for (let start = 0; start < rows.length; start += partRows) {
    if (start > 0) await nextTurn()
    const some = rows.slice(start, start + partRows)
    const json = some.map((row, index) => textOf(row, start + index)).join(',')
    parts.push(Buffer.from(start > 0 ? `,${json}` : json))
  }
  parts.push(Buffer.from(']'))
  return Buffer.concat(parts)
}

/** A part of a list, with the cursor of the next one. */
export const jsonPart = (items: Buffer, nextCursor: string | null) =>
  Buffer.concat([
    Buffer.from('{"items":'),
    items,
    Buffer.from(`,"nextCursor":${JSON.stringify(nextCursor)}}`),
  ])

/**
 * Sends a list as bytes, which the response schema does not touch: checking 10,000 codes would hold up
 * all else. The presenter's type holds it to the schema instead.
 */
export function sendList(reply: FastifyReply, json: Buffer) {
  return reply.type('application/json; charset=utf-8').send(json)
}
