import { useMemo } from 'react'
import { closeAbove, replaceSearch, useSearch } from '../../../ui/address-steps.ts'
import { statsAskedBy } from '../../stats-address.ts'
import { queryWithoutStats, queryWithView, type View, viewAfter, viewOf } from './view.ts'

const ownQuery = (search: string) => queryWithView('', '', viewOf(search))

/** The view that the page's address asks for. The list's part of it changes nothing here. */
export function useView(): View {
  const query = useSearch(ownQuery)
  return useMemo(() => viewOf(query), [query])
}

/** Each change takes the place of the one before: Back closes the drawer. */
export function changeView(change: Partial<View>): void {
  replaceSearch((search) =>
    queryWithView(search, statsAskedBy(search), viewAfter(viewOf(search), change)),
  )
}

/** Shows another code, or all, in the same view. */
export const showStatsOf = (code: string) =>
  replaceSearch((search) => queryWithView(search, code, viewOf(search)))

export const closeStats = () => closeAbove(queryWithoutStats)
