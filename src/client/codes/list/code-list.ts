import { type CodeStatus, codeStatuses, PAGE_SIZE, statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'

export const sortColumns = ['name', 'url', 'created', 'status'] as const
export type SortColumn = (typeof sortColumns)[number]
/** A minus sorts descending, as in the API's own query. */
export type Sort = SortColumn | `-${SortColumn}`
export type StatusFilter = CodeStatus | 'all'

/** What somebody asked of their list. */
export type ListState = { q: string; status: StatusFilter; sort: Sort; page: number }

export const DEFAULT_LIST: ListState = { q: '', status: 'all', sort: '-created', page: 1 }

/** `found` is on all pages what `rows` are on the asked one. */
export type CodeList = { rows: QrCode[]; found: QrCode[]; page: number; pages: number }

const collator = new Intl.Collator(undefined, { numeric: true })

/** Active first: what works stands above what does not. */
const rankOf = (code: QrCode, now: Date) => codeStatuses.indexOf(statusOf(code, now))

const orders: Record<SortColumn, (a: QrCode, b: QrCode, now: Date) => number> = {
  name: (a, b) => collator.compare(a.name, b.name),
  url: (a, b) => collator.compare(a.url, b.url),
  created: (a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt),
  status: (a, b, now) => rankOf(a, now) - rankOf(b, now),
}

export const columnOf = (sort: Sort) => sort.replace('-', '') as SortColumn
export const isDescending = (sort: Sort) => sort.startsWith('-')

/** Ascending first, then the other way round. */
export const nextSort = (sort: Sort, column: SortColumn): Sort =>
  sort === column ? `-${column}` : column

function matches({ name, url, vanityUrl, shortCode }: QrCode, text: string): boolean {
  return [name, url, vanityUrl, shortCode].some((field) => field?.toLowerCase().includes(text))
}

/** The page of codes that was asked for, or the last one. Codes that sort alike keep their order. */
export function visibleCodes(codes: QrCode[], state: ListState, now: Date): CodeList {
  const text = state.q.trim().toLowerCase()
  const order = orders[columnOf(state.sort)]
  const direction = isDescending(state.sort) ? -1 : 1
  const found = codes
    .filter((code) => state.status === 'all' || statusOf(code, now) === state.status)
    .filter((code) => matches(code, text))
    .sort((a, b) => direction * order(a, b, now))
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
  const page = Math.min(state.page, pages)
  const rows = found.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return { rows, found, page, pages }
}

/** Where a code stands: on which page of the asked list or, if that leaves it out, of the whole one. */
export function placeOf(codes: QrCode[], code: QrCode, asked: ListState, now: Date): ListState {
  const positionIn = (state: ListState) => visibleCodes(codes, state, now).found.indexOf(code)
  const position = positionIn(asked)
  const state = position < 0 ? DEFAULT_LIST : asked
  const place = position < 0 ? positionIn(DEFAULT_LIST) : position
  return { ...state, page: Math.floor(place / PAGE_SIZE) + 1 }
}
