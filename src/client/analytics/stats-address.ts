import { closeAbove, openAbove, useSearch } from '../ui/dialog/address-steps.ts'

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
  const rest = new URLSearchParams(search)
  rest.delete('qr')
  rest.delete('stats')
  const own = code === ALL ? 'stats' : `qr=${encodeURIComponent(code)}`
  return `?${[rest.toString(), own].filter(Boolean).join('&')}`
}

/** Opens the analytics of a code, or with ALL those of all codes. */
export const openStats = (code: string) => openAbove((search) => queryWithStats(search, code))

/** Whether a query asks for the analytics as a report: `?qr=…&report` or `?stats&report`. */
export const isReportAskedBy = (search: string): boolean =>
  statsAskedBy(search) !== null && new URLSearchParams(search).has('report')

export const useAskedForReport = () => useSearch(isReportAskedBy)

/** The query of the same analytics without their report. */
export function queryWithoutReport(search: string): string {
  const parts = search.replace(/^\?/, '').split('&')
  const rest = parts.filter((part) => part !== '' && !/^report(=|$)/.test(part))
  return rest.length > 0 ? `?${rest.join('&')}` : ''
}

/** The query of the report of the analytics that a query asks for. */
export const queryWithReport = (search: string) =>
  [queryWithoutReport(search) || '?stats', 'report'].join('&')

/** Opens the report of the view in the drawer. Back leads to the drawer. */
export const openReport = () => openAbove(queryWithReport)

export const closeReport = () => closeAbove(queryWithoutReport)
