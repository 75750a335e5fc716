import { closeAbove, openAbove, useSearch } from '../../ui/address-steps.ts'
import { statsAskedBy } from '../stats-address.ts'

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

/** Opens the report of what the drawer shows. Back leads to the drawer. */
export const openReport = () => openAbove(queryWithReport)

export const closeReport = () => closeAbove(queryWithoutReport)
