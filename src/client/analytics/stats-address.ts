import { openAbove, useSearch } from '../ui/address-steps.ts'

/** Asked for by `?stats`; a single code is asked for by `?qr=` and its id. */
export const ALL = ''

/** Whose analytics a query asks for: a code's id, ALL, or null where the page stands alone. */
export function statsAskedBy(search: string): string | null {
  const asked = new URLSearchParams(search)
  return asked.get('qr') || (asked.has('stats') ? ALL : null)
}

export const useAskedStats = () => useSearch(statsAskedBy)

/** The query with the analytics of a code asked for, or of all. The rest of it stays. */
export function queryWithStats(search: string, code: string): string {
  const rest = new URLSearchParams(search)
  rest.delete('qr')
  rest.delete('stats')
  const own = code === ALL ? 'stats' : `qr=${encodeURIComponent(code)}`
  return `?${[rest.toString(), own].filter(Boolean).join('&')}`
}

/** Opens the analytics of a code, or with ALL those of all codes. */
export const openStats = (code: string) => openAbove((search) => queryWithStats(search, code))
