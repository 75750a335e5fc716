import { useCallback, useMemo } from 'react'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import { nameOrder, searchedTexts } from '#contract/codes/code-search.ts'
import {
  codeStatuses,
  foldedTag,
  isUnscanned,
  type ListFilter,
  listFilters,
  PAGE_SIZE,
  statusOf,
} from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { afterStep } from '../../ui/dialog/address-steps.ts'

export const sortColumns = ['name', 'url', 'scans', 'created', 'status'] as const
export type SortColumn = (typeof sortColumns)[number]
/** A minus sorts descending, as in the API's own query. */
export type Sort = SortColumn | `-${SortColumn}`
export type StatusFilter = ListFilter | 'all'

/** The search, filters, order and page of the list. `tag` and `importId` are empty without such a filter. */
export const DEFAULT_LIST = {
  q: '',
  status: 'all' as StatusFilter,
  tag: '',
  importId: '',
  sort: '-created' as Sort,
  page: 1,
}
export type ListState = typeof DEFAULT_LIST

/** `found` are the codes of all pages, `rows` those of the asked page. */
export type CodeList = { rows: QrCode[]; found: QrCode[]; page: number; pages: number }

/** The scans of each code, by id. A code that is missing here has none. */
export type Scans = ReadonlyMap<string, Pick<ScansByCode[number], 'totalScans' | 'lastScannedAt'>>

const NO_SCANS: Scans = new Map()

export const scansFrom = (scans: ScansByCode): Scans => new Map(scans.map((one) => [one.id, one]))

/** Only such a list reads the scans of all codes. */
export const needsScans = ({ sort, status }: ListState) =>
  columnOf(sort) === 'scans' || status === 'unscanned'

/** The moment and the scans that a list is made with, and the ids of the import that it is filtered by. */
export type Known = {
  now: Date
  scans?: Scans | undefined
  imported?: ReadonlySet<string> | undefined
}

/** Active first: a code that works comes before one that does not. */
const rankOf = (code: QrCode, now: Date) => codeStatuses.indexOf(statusOf(code, now))

const totalOf = ({ id }: QrCode, scans: Scans) => scans.get(id)?.totalScans ?? 0

type KnownScans = { now: Date; scans: Scans }

const orders: Record<SortColumn, (a: QrCode, b: QrCode, known: KnownScans) => number> = {
  name: (a, b) => nameOrder.compare(a.name, b.name),
  url: (a, b) => nameOrder.compare(a.url, b.url),
  scans: (a, b, { scans }) => totalOf(a, scans) - totalOf(b, scans),
  created: (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  status: (a, b, { now }) => rankOf(a, now) - rankOf(b, now),
}

export const columnOf = (sort: Sort) => sort.replace('-', '') as SortColumn
export const isDescending = (sort: Sort) => sort.startsWith('-')

/** Ascending first, then the other way round; scans begin with the most. */
export function nextSort(sort: Sort, column: SortColumn): Sort {
  const first: Sort = column === 'scans' ? '-scans' : column
  if (sort !== first) return first
  return isDescending(first) ? column : `-${column}`
}

/** Whether a code has one of these texts in what its row shows, or in its own spelling */
function matches({ id, name, url, vanityUrl, shortCode }: QrCode, texts: string[]): boolean {
  const fields = [name, url, shownAddress(url), vanityUrl ?? '', shortCode].join('\n').toLowerCase()
  return texts.some((text) => fields.includes(text) || `#${id}`.startsWith(text))
}

/** All codes have no tag in particular. */
function hasTag({ tags }: QrCode, name: string): boolean {
  const folded = foldedTag(name)
  return folded === '' || tags.some((tag) => foldedTag(tag) === folded)
}

/** The names of the tags that codes have, in their order. */
export function tagsIn(codes: readonly QrCode[]): string[] {
  const names = new Set(codes.flatMap(({ tags }) => tags))
  return [...names].sort(nameOrder.compare)
}

function passes(code: QrCode, filter: StatusFilter, { now, scans }: KnownScans): boolean {
  if (filter === 'all') return true
  if (filter !== 'unscanned') return statusOf(code, now) === filter
  const { lastScannedAt } = scans.get(code.id) ?? {}
  const lastScan = lastScannedAt ? Date.parse(lastScannedAt) : undefined
  return isUnscanned({ createdAt: Date.parse(code.createdAt), lastScan }, now)
}

/** The page of codes that was asked for, or the last one. Codes that compare as equal keep their order. */
export function visibleCodes(
  codes: QrCode[],
  state: ListState,
  { now, scans = NO_SCANS, imported }: Known,
): CodeList {
  const texts = searchedTexts(state.q)
  const order = orders[columnOf(state.sort)]
  const direction = isDescending(state.sort) ? -1 : 1
  const found = codes
    .filter((code) => passes(code, state.status, { now, scans }))
    .filter((code) => hasTag(code, state.tag) && matches(code, texts))
    .filter(({ id }) => state.importId === '' || imported?.has(id))
    .sort((a, b) => direction * order(a, b, { now, scans }))
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const page = Math.min(state.page, pages)
  const rows = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return { rows, found, page, pages }
}

/** The page that shows a code: of the asked list or, if that leaves the code out, of the whole list. */
export function placeOf(codes: QrCode[], code: QrCode, asked: ListState, known: Known): ListState {
  const positionIn = (state: ListState) => visibleCodes(codes, state, known).found.indexOf(code)
  const position = positionIn(asked)
  const state = position < 0 ? DEFAULT_LIST : asked
  const place = position < 0 ? positionIn(DEFAULT_LIST) : position
  return { ...state, page: Math.floor(place / PAGE_SIZE) + 1 }
}

const sorts: Sort[] = sortColumns.flatMap((column): Sort[] => [column, `-${column}`])

/** The list that a query asks for. Values that mean nothing count as left out. */
export function listStateOf(query: string): ListState {
  const asked = new URLSearchParams(query)
  const page = Number(asked.get('page'))
  return {
    q: asked.get('q') ?? DEFAULT_LIST.q,
    status: listFilters.find((status) => status === asked.get('status')) ?? DEFAULT_LIST.status,
    tag: asked.get('tag') ?? DEFAULT_LIST.tag,
    importId: asked.get('importId') ?? DEFAULT_LIST.importId,
    sort: sorts.find((sort) => sort === asked.get('sort')) ?? DEFAULT_LIST.sort,
    page: Number.isSafeInteger(page) && page > 0 ? page : DEFAULT_LIST.page,
  }
}

/** The query after a change: another list starts at its first page, and defaults are left out. */
export function queryAfter(query: string, change: Partial<ListState>): string {
  const next = { ...listStateOf(query), page: DEFAULT_LIST.page, ...change }
  const asked = new URLSearchParams(query)
  for (const [key, value] of Object.entries(DEFAULT_LIST)) {
    if (next[key as keyof ListState] === value) asked.delete(key)
    else asked.set(key, String(next[key as keyof ListState]))
  }
  return asked.size > 0 ? `?${asked}` : ''
}

/** Only the list's part of the address: opening a code does not draw the list again. */
const ownQuery = () => queryAfter('', listStateOf(window.location.search))

/** The state of the list lives in the page's address, so a reload and the back button find it again. */
export function useCodeListState() {
  const query = useLocationProperty(ownQuery)
  const state = useMemo(() => listStateOf(query), [query])
  const change = useCallback((part: Partial<ListState>) => {
    afterStep(() => {
      const { pathname, search } = window.location
      const address = pathname + queryAfter(search, part)
      navigate(address, { replace: true, state: window.history.state })
    })
  }, [])
  return { state, change }
}
