import { closeAbove, openAbove, replaceSearch, useSearch } from '../../ui/address-steps.ts'

/** The code whose print a query asks to check: `?print=` and its id. */
export const printIn = (search: string): string | null =>
  new URLSearchParams(search).get('print') || null

export const useAskedPrint = () => useSearch(printIn)

/** The query with a print to check, or none. The rest of it stays. */
export function queryWithPrint(search: string, id: string | null): string {
  const rest = new URLSearchParams(search)
  rest.delete('print')
  const own = id && `print=${encodeURIComponent(id)}`
  const query = [rest.toString(), own].filter(Boolean).join('&')
  return query && `?${query}`
}

/** Where somebody checks a print of a code, on any of their devices. */
export const printAddress = (hostUrl: string, id: string) =>
  `${hostUrl}/dashboard${queryWithPrint('', id)}`

export const openPrint = (id: string) => openAbove((search) => queryWithPrint(search, id))
export const closePrint = () => closeAbove((search) => queryWithPrint(search, null))
/** The code that the address asks for is not there. */
export const dropPrint = () => replaceSearch((search) => queryWithPrint(search, null))
