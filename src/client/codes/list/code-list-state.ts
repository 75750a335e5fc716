import { useCallback, useMemo } from 'react'
import { navigate, useLocationProperty } from 'wouter/use-browser-location'
import { codeStatuses } from '#contract/code-values.ts'
import { afterStep } from '../code-address.ts'
import { DEFAULT_LIST, type ListState, type Sort, sortColumns } from './code-list.ts'

const sorts: Sort[] = sortColumns.flatMap((column): Sort[] => [column, `-${column}`])

/** The list that a page's query asks for; what it says wrongly is as if it were left out. */
export function listStateOf(query: string): ListState {
  const asked = new URLSearchParams(query)
  const page = Number(asked.get('page'))
  return {
    q: asked.get('q') ?? DEFAULT_LIST.q,
    status: codeStatuses.find((status) => status === asked.get('status')) ?? DEFAULT_LIST.status,
    sort: sorts.find((sort) => sort === asked.get('sort')) ?? DEFAULT_LIST.sort,
    page: Number.isSafeInteger(page) && page > 0 ? page : DEFAULT_LIST.page,
  }
}

/** The page's query after a change: another list starts at its first page, defaults are left out. */
export function queryAfter(query: string, change: Partial<ListState>): string {
  const next = { ...listStateOf(query), page: DEFAULT_LIST.page, ...change }
  const asked = new URLSearchParams(query)
  for (const key of ['q', 'status', 'sort', 'page'] as const) {
    if (next[key] === DEFAULT_LIST[key]) asked.delete(key)
    else asked.set(key, String(next[key]))
  }
  return asked.size > 0 ? `?${asked}` : ''
}

/** The list's part of the address: opening a code next to it draws no list again. */
const ownQuery = () => queryAfter('', listStateOf(window.location.search))

/** What the list shows, kept in the page's address: a reload and the back button find it again. */
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
