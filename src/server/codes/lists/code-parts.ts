import { sql } from 'kysely'
import { CURSOR_PAGE, isUnscanned } from '#contract/code-values.ts'
import type { CodeListQuery, PartQuery } from '#contract/codes.ts'
import { z } from '#contract/zod.ts'
import type { Db } from '../../database/schema.ts'
import { invalidInput } from '../../http/errors.ts'
import {
  type CodeRow,
  type DeletedRow,
  listedByIds,
  listedKeys,
  matching,
  orderOf,
} from '../codes-store.ts'
import type { ScansOf } from './list-by-scans.ts'

/** Some rows of a list, and the cursor of the next ones; null after the last. */
export type Part<Row> = { rows: Row[]; nextCursor: string | null }

/** Whether somebody asks for a list in parts. */
export const isInParts = ({ limit, cursor }: PartQuery) =>
  limit !== undefined || cursor !== undefined

/** The place after a row: the value that its list is sorted by, and its id. */
type Place = { value: string | number; id: string }

/** A cursor says of which order it is: in another one it would leave out rows. */
const cursorOf = (order: string, { value, id }: Place) =>
  Buffer.from(JSON.stringify([order, value, id])).toString('base64url')

/** @throws AppError invalid_input for what is no cursor of this order */
function placeOf(cursor: string | undefined, order: string): Place | undefined {
  if (cursor === undefined) return undefined
  const read = cursorText.safeParse(cursor)
  const [of, value, id] = read.data ?? []
  const isValue = typeof value === (/created|deleted/.test(order) ? 'number' : 'string')
  if (of === order && isValue && value !== undefined && id !== undefined) return { value, id }
  throw invalidInput([
    { path: 'cursor', message: 'This is no cursor of this list. Begin again without one.' },
  ])
}

/** What a database can compare: PostgreSQL takes no NUL and no half of a character. */
const comparable = z.string().refine((text) => !text.includes('\0') && text.isWellFormed())

const cursorText = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
    } catch {
      context.addIssue({ code: 'custom', message: 'No JSON' })
      return z.NEVER
    }
  })
  .pipe(z.tuple([z.string(), z.union([z.int(), comparable]), z.uuid()]))

/** One row more than was asked for says that there are others. */
function partOf<Row>(found: Row[], limit: number, next: (last: Row) => string): Part<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: last && found.length > limit ? next(last) : null }
}

type Asked = { userId: string; query: CodeListQuery; now: Date }

/** A part of an account's list. @throws AppError invalid_input for a wrong cursor, and for a list by scans */
export async function codePart(db: Db, scansOf: ScansOf, asked: Asked): Promise<Part<CodeRow>> {
  const { query } = asked
  if (query.sort?.endsWith('scans')) {
    const message = 'The order by scans changes meanwhile. Ask for pages, or for the whole list.'
    throw invalidInput([{ path: 'sort', message }])
  }
  return query.status === 'unscanned' ? unscannedPart(db, scansOf, asked) : sortedPart(db, asked)
}

async function sortedPart(db: Db, { userId, query, now }: Asked): Promise<Part<CodeRow>> {
  const { limit = CURSOR_PAGE.default, sort = '-created' } = query
  const { value, direction } = orderOf(query)
  const after = placeOf(query.cursor, sort)
  const isBeyond = sql.raw(direction === 'asc' ? '>' : '<')
  let codes = matching(db, userId, query, now)
  if (after) {
    codes = codes.where(sql<boolean>`(${value}, id) ${isBeyond} (${after.value}, ${after.id})`)
  }
  const found = await codes
    .selectAll()
    .select(value.as('sorted_by'))
    .orderBy(value, direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute()
  return partOf(found, limit, ({ sorted_by, id }) => cursorOf(sort, { value: sorted_by, id }))
}

/** Newest first, as its pages. The ledger says which codes are in it. */
async function unscannedPart(
  db: Db,
  scansOf: ScansOf,
  { userId, query, now }: Asked,
): Promise<Part<CodeRow>> {
  const { limit = CURSOR_PAGE.default } = query
  const after = placeOf(query.cursor, '-created')
  const keys = await listedKeys(db, userId, query, now)
  const scans = await scansOf(keys.map(({ id }) => id))
  const found = keys.filter(({ id, createdAt }) => {
    const isAfter =
      !after || createdAt < Number(after.value) || (createdAt === after.value && id < after.id)
    return isAfter && isUnscanned({ createdAt, lastScan: scans.get(id)?.lastScan }, now)
  })
  const { rows, nextCursor } = partOf(found.slice(0, limit + 1), limit, ({ id, createdAt }) =>
    cursorOf('-created', { value: createdAt, id }),
  )
  const ids = rows.map(({ id }) => id)
  return { rows: await listedByIds(db, userId, ids), nextCursor }
}

/** A part of an account's bin, the last deleted first. @throws AppError invalid_input for a wrong cursor */
export async function binPart(db: Db, userId: string, query: PartQuery): Promise<Part<DeletedRow>> {
  const { limit = CURSOR_PAGE.default } = query
  const after = placeOf(query.cursor, '-deleted')
  let bin = db.selectFrom('codes').selectAll().where('user_id', '=', userId)
  bin = bin.where('deleted_at', 'is not', null)
  if (after) bin = bin.where(sql<boolean>`(deleted_at, id) < (${after.value}, ${after.id})`)
  const found = await bin
    .orderBy('deleted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .$narrowType<{ deleted_at: number }>()
    .execute()
  return partOf(found, limit, ({ deleted_at, id }) =>
    cursorOf('-deleted', { value: deleted_at, id }),
  )
}
