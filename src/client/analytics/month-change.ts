import { DAY_MS } from '#contract/time.ts'
import { type Change, differenceOf } from './difference.ts'

/**
 * How this month's scans a day compare with last month's, so that a month that has just begun does not
 * look empty. Null if there is nothing to compare: on a month's first day, or without scans in either.
 */
export function monthChange(
  scans: { scansThisMonth: number; scansLastMonth?: number | undefined },
  now: Date,
): Change | null {
  const { scansThisMonth, scansLastMonth } = scans
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const daysNow = (now.getTime() - new Date(year, month, 1).getTime()) / DAY_MS
  if (scansLastMonth === undefined || daysNow < 1) return null
  if (scansLastMonth === 0) {
    if (scansThisMonth === 0) return null
    return { short: 'None last month', words: 'There were no scans last month' }
  }
  const daysBefore = new Date(year, month, 0).getDate()
  const ratio = scansThisMonth / daysNow / (scansLastMonth / daysBefore)
  const difference = differenceOf(ratio - 1)
  if (!difference) {
    return { short: 'Same as last month', words: 'As many scans per day as last month' }
  }
  return {
    short: `${difference.short} vs last month`,
    words: `${difference.words} scans per day than last month`,
  }
}
