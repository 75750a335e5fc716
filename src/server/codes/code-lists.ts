import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { nameOrder, searchedTexts } from '#contract/codes/code-search.ts'
import { CURSOR_PAGE, isUnscanned, LIST_MAX, PAGE_SIZE } from '#contract/codes/code-values.ts'
import type { CodeListQuery, PartQuery } from '#contract/codes/codes.ts'
import { z } from '#contract/zod.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tables } from '../database/schema.ts'
import { invalidInput } from '../http/errors.ts'
import { cursorFor, placeIn } from '../http/lists.ts'
import {
  type CodeRow,
  type DeletedRow,
  idsWithTag,
  listedByIds,
  selectListed,
} from './codes-store.ts'
import { idsOfImport } from './imports/imports-store.ts'
import { folded } from './paths-store.ts'
import { decodedPath } from './rules.ts'
import type { ScansOf } from './types.ts'

/** The list of an account that a query asks for. */
export type AskedList = {
  workspaceId: WorkspaceId
  query: CodeListQuery
  now: Date
  publicUrl: string
}

/** The rows of a list: all, or a page, with how many there are in all; or a part, with the cursor of the next one. */
export type Listed<Row> = { rows: Row[]; total?: number; nextCursor?: string | null }

const isInParts = ({ limit, cursor }: PartQuery) => limit !== undefined || cursor !== undefined

/**
 * An account's list as it was asked for. Only a list that asks for scans reads them.
 * @throws AppError invalid_input for a wrong cursor, and for a list by scans in parts
 */
export async function listCodes(
  db: Db,
  scansOf: ScansOf,
  asked: AskedList,
): Promise<Listed<CodeRow>> {
  const { workspaceId, query } = asked
  if (isInParts(query)) return codePart(db, scansOf, asked)
  const window = {
    limit: query.page ? PAGE_SIZE : LIST_MAX,
    offset: query.page ? (query.page - 1) * PAGE_SIZE : 0,
  }
  if (needsKeys(query)) {
    const keys = await keysInOrder(db, scansOf, asked)
    const some = keys.slice(window.offset, window.offset + window.limit)
    return { rows: await rowsOf(db, workspaceId, some), total: keys.length }
  }
  const codes = matching(db, asked)
  const { total } = await codes
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await sorted(codes, orderOf(query))
    .selectAll()
    .limit(window.limit)
    .offset(window.offset)
    .execute()
  return { rows, total: Number(total) }
}

/** The ids of such a list, in its order, however many there are. */
export async function listIds(db: Db, scansOf: ScansOf, asked: AskedList): Promise<string[]> {
  const keys = await keysInOrder(db, scansOf, asked)
  return keys.map(({ id }) => id)
}

/** An account's trash, the code that was deleted last first. @throws AppError invalid_input for a wrong cursor */
export async function listTrash(
  db: Db,
  workspaceId: WorkspaceId,
  query: PartQuery = {},
): Promise<Listed<DeletedRow>> {
  const bin = db
    .selectFrom('codes')
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is not', null)
  const order = orderOf({ sort: '-deleted' })
  const found = isInParts(query)
    ? await nextRows(bin, order, query)
    : { rows: await sorted(bin, order).selectAll().limit(LIST_MAX).execute() }
  return found as Listed<DeletedRow>
}

/** The next `limit` listed codes of an account after one of them, oldest first. */
export async function listedAfter(
  db: Db,
  workspaceId: WorkspaceId,
  after: { createdAt: number; id: string } | undefined,
  limit: number,
): Promise<CodeRow[]> {
  const order = orderOf({ sort: 'created' })
  const rows = after && { value: after.createdAt, id: after.id }
  return sorted(behind(selectListed(db, workspaceId), order, rows), order)
    .selectAll()
    .limit(limit)
    .execute()
}

/** The listed codes of an account, oldest first: the series of its charts; of a tag, or with an own id. */
export async function listSeries(
  db: Db,
  workspaceId: WorkspaceId,
  asked: OfTagOrId = {},
): Promise<
  Pick<CodeRow, 'id' | 'name' | 'url' | 'domain' | 'short_code' | 'vanity_url' | 'rules'>[]
> {
  return sorted(ofTagOrId(db, workspaceId, asked), orderOf({ sort: 'created' }))
    .select(['id', 'name', 'url', 'domain', 'short_code', 'vanity_url', 'rules'])
    .limit(LIST_MAX)
    .execute()
}

type CodesQuery = SelectQueryBuilder<Tables, 'codes', object>

type OfTagOrId = { tag?: string | undefined; externalId?: string | undefined }

function ofTagOrId(db: Db, workspaceId: WorkspaceId, { tag, externalId }: OfTagOrId): CodesQuery {
  let codes: CodesQuery = selectListed(db, workspaceId)
  if (tag) codes = codes.where('codes.id', 'in', idsWithTag(db, workspaceId, tag))
  if (externalId) codes = codes.where('external_id', '=', externalId)
  return codes
}

/** The listed codes that a list asks for. */
function matching(db: Db, { workspaceId, query, now, publicUrl }: AskedList): CodesQuery {
  const { q, status, tag, link, externalId, importId, createdFrom, createdBefore } = query
  let codes = ofTagOrId(db, workspaceId, { tag, externalId })
  if (link) codes = codes.where('codes.id', 'in', idsOfLink(db, workspaceId, link, publicUrl))
  if (importId) codes = codes.where('codes.id', 'in', idsOfImport(db, importId))
  if (createdFrom) codes = codes.where('created_at', '>=', Date.parse(createdFrom))
  if (createdBefore) codes = codes.where('created_at', '<', Date.parse(createdBefore))
  if (q) {
    const texts = searchedTexts(q).map((text) => text.replace(/[\\%_]/g, '\\$&'))
    const places = texts.flatMap((text) => [
      ...['name', 'url', 'vanity_url', 'short_code'].map(
        (column) => [column, `%${text}%`] as const,
      ),
      ["'#' || id", `${text}%`] as const,
    ])
    const like = ([where, pattern]: readonly [string, string]) =>
      sql<boolean>`lower(${sql.raw(where)}) like ${pattern} escape '\\'`
    codes = codes.where((row) => row.or(places.map(like)))
  }
  if (status === 'unscanned') return codes
  if (status === 'inactive') return codes.where('paused_at', 'is not', null)
  if (status) codes = codes.where('paused_at', 'is', null)
  const at = now.getTime()
  if (status === 'expired') {
    codes = codes.where((row) => row.or([row('expires_at', '<', at), row('ends_at', '<=', at)]))
  }
  if (status === 'active') {
    codes = codes
      .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>=', at)]))
      .where((row) => row.or([row('ends_at', 'is', null), row('ends_at', '>', at)]))
  }
  return codes
}

/**
 * The codes that a link leads to, or a name alone, on any host of the account. A link with a host that neither
 * this server nor the account has leads to none.
 */
function idsOfLink(db: Db, workspaceId: WorkspaceId, link: string, publicUrl: string) {
  // A row shows its link without a scheme.
  const url = URL.parse(/^[^/]+\/qr\//i.test(link) ? `http://${link}` : link)
  const host = url?.host.toLowerCase()
  const path = decodedPath(url?.pathname ?? link)
  // An import has names with slashes in them.
  const name = path.replace(/^\/?(qr\/)?|\/$/gi, '').toLowerCase()
  const isOurs = host === undefined || host === new URL(publicUrl).host
  let claims = db.selectFrom('domains').where('workspace_id', '=', workspaceId)
  if (host !== undefined) claims = claims.where('host', '=', host)
  const onDomains = claims.select(sql<string>`id || '/' || ${name}`.as('key'))
  const codes = db.selectFrom('paths').select('code_id')
  const direct = codes.where('key', '=', name)
  const isShort = direct.where('kind', '=', 'short')
  // One look into an index each
  return (isOurs ? direct : isShort.where(({ exists }) => exists(claims.select('id'))))
    .unionAll(codes.where('key', 'in', onDomains))
    .unionAll(codes.where(folded, 'in', onDomains).where('key', '<>', folded))
}

/** The order of a list: by a value, and by the id among equal ones. */
type Order = { name: string; value: RawBuilder<string | number>; isDown: boolean }

/** The ledger sorts by scans: from the newest code on. */
const sortColumns = {
  created: 'created_at',
  deleted: 'deleted_at',
  name: 'name',
  url: 'url',
  scans: 'created_at',
} as const

type Sort = NonNullable<CodeListQuery['sort']> | '-deleted'

function orderOf({ sort = '-created' }: { sort?: Sort | undefined }): Order {
  const column = sortColumns[sort.replace('-', '') as keyof typeof sortColumns]
  const ref = sql.ref<string | number>(column)
  return {
    name: sort,
    value: column === 'url' ? sql<string | number>`lower(${ref})` : ref,
    isDown: sort.startsWith('-'),
  }
}

function sorted(codes: CodesQuery, { value, isDown }: Order): CodesQuery {
  const direction = isDown ? 'desc' : 'asc'
  return codes.orderBy(value, direction).orderBy('id', direction)
}

/** The place after a row: the value that its list is sorted by, and its id. */
type Place = { value: string | number; id: string }

/** The codes behind a place in an order. */
function behind(codes: CodesQuery, { value, isDown }: Order, place: Place | undefined): CodesQuery {
  if (!place) return codes
  const isBehind = sql.raw(isDown ? '<' : '>')
  return codes.where(sql<boolean>`(${value}, id) ${isBehind} (${place.value}, ${place.id})`)
}

async function codePart(db: Db, scansOf: ScansOf, asked: AskedList): Promise<Listed<CodeRow>> {
  const { workspaceId, query } = asked
  if (isByScans(query)) {
    const message =
      'The order by scans changes while you read. Ask for pages, or for the whole list.'
    throw invalidInput([{ path: 'sort', message }])
  }
  const order = keyOrder(query)
  if (!needsKeys(query)) return nextRows(matching(db, asked), order, query)
  const after = placeOf(query.cursor, order)
  const keys = await keysInOrder(db, scansOf, asked)
  const behindIt = after ? keys.filter((key) => compared(order, key, after) > 0) : keys
  const { rows, nextCursor } = partOf(behindIt, order, query, (key) => key)
  return { rows: await rowsOf(db, workspaceId, rows), nextCursor }
}

type Part<Row> = { rows: Row[]; nextCursor: string | null }

async function nextRows(codes: CodesQuery, order: Order, query: PartQuery): Promise<Part<CodeRow>> {
  const { limit = CURSOR_PAGE.default, cursor } = query
  const found = await sorted(behind(codes, order, placeOf(cursor, order)), order)
    .selectAll()
    .select(order.value.as('sorted_by'))
    .limit(limit + 1)
    .execute()
  return partOf(found, order, query, ({ sorted_by, id }) => ({ value: sorted_by, id }))
}

/** One row more than was asked for says that there are others. */
function partOf<Row>(
  found: Row[],
  { name }: Order,
  { limit = CURSOR_PAGE.default }: PartQuery,
  placeAfter: (last: Row) => Place,
): Part<Row> {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (!last || found.length <= limit) return { rows, nextCursor: null }
  const { value, id } = placeAfter(last)
  // A cursor names its order: in another one it would leave out rows.
  return { rows, nextCursor: cursorFor([name, value, id]) }
}

/** @throws AppError invalid_input if the text is not a cursor of this order */
function placeOf(cursor: string | undefined, { name }: Order): Place | undefined {
  if (cursor === undefined) return undefined
  const sortedBy = /created|deleted/.test(name) ? z.int() : comparable
  const [, value, id] = placeIn(cursor, z.tuple([z.literal(name), sortedBy, z.uuid()]))
  return { value, id }
}

/** A text that a database can compare: PostgreSQL takes no NUL and no lone surrogate. */
const comparable = z.string().refine((text) => !text.includes('\0') && text.isWellFormed())

const isByScans = ({ sort }: CodeListQuery) => sort === 'scans' || sort === '-scans'
const isByName = ({ sort }: CodeListQuery) => sort === 'name' || sort === '-name'
const needsScans = (query: CodeListQuery) => isByScans(query) || query.status === 'unscanned'
/** No database here has the order of names that people expect, and none has the scans. */
const needsKeys = (query: CodeListQuery) => needsScans(query) || isByName(query)
const keyOrder = (query: CodeListQuery) =>
  orderOf(needsScans(query) && !isByName(query) ? {} : query)

/** A code of a list that is sorted or filtered here */
type Key = Place & { createdAt: number }

/** Which of two places comes later in an order */
function compared({ isDown }: Order, one: Place, other: Place): number {
  const byValue =
    typeof one.value === 'string'
      ? nameOrder.compare(one.value, String(other.value))
      : one.value - Number(other.value)
  const byId = Number(one.id > other.id) - Number(one.id < other.id)
  return (isDown ? -1 : 1) * (byValue || byId)
}

async function keysInOrder(db: Db, scansOf: ScansOf, asked: AskedList): Promise<Key[]> {
  const { workspaceId, query, now } = asked
  const order = keyOrder(query)
  const keys = await sorted(matching(db, asked), order)
    .select(['id', 'created_at as createdAt', order.value.as('value')])
    .execute()
  if (isByName(query)) keys.sort((one, other) => compared(order, one, other))
  if (!needsScans(query)) return keys
  const ids = keys.map(({ id }) => id)
  const scans = await scansOf(workspaceId, ids)
  const totalOf = ({ id }: Key) => scans.get(id)?.total ?? 0
  const direction = query.sort === 'scans' ? 1 : -1
  const found = keys.filter(
    ({ id, createdAt }) =>
      query.status !== 'unscanned' ||
      isUnscanned({ createdAt, lastScan: scans.get(id)?.lastScan }, now),
  )
  if (isByScans(query)) found.sort((one, other) => direction * (totalOf(one) - totalOf(other)))
  return found
}

const rowsOf = (db: Db, workspaceId: WorkspaceId, keys: readonly Key[]) =>
  listedByIds(
    db,
    workspaceId,
    keys.map(({ id }) => id),
  )
