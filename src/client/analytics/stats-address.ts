import { openAbove, openedBy, queryWithValue, useSearch } from '../ui/dialog/address-steps.ts'

/** Asked for by `?stats`; a single code is asked for by `?qr=` and its id. */
export const ALL = ''

/** The analytics that a query asks for: a code's id, ALL, or null if the page stands alone. */
export function statsAskedBy(search: string): string | null {
  const asked = new URLSearchParams(search)
  return asked.get('qr') || (asked.has('stats') ? ALL : null)
}

export const useAskedStats = () => useSearch(statsAskedBy)

/** The query with the analytics of a code asked for, or of all. The rest of it stays. */
export function queryWithStats(search: string, code: string): string {
  const rest = queryWithValue(queryWithValue(search, 'qr', null), 'stats', null)
  return code === ALL ? queryWithValue(rest, 'stats', '') : queryWithValue(rest, 'qr', code)
}

/** Opens the analytics of a code, or with ALL those of all codes. */
export const openStats = (code: string) => openAbove((search) => queryWithStats(search, code))

/** Whether a query asks for the analytics as a report: `?qr=…&report` or `?stats&report`. */
export const isReportAskedBy = (search: string): boolean =>
  statsAskedBy(search) !== null && new URLSearchParams(search).has('report')

export const useAskedForReport = () => useSearch(isReportAskedBy)

/** The report of the view in the drawer. Back leads to the drawer. */
export const { open: openReport, close: closeReport } = openedBy('report')
