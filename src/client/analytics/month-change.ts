import { DAY_MS } from '#contract/time.ts'
import { formatPercent } from '../formats.ts'

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

/** `short` is for the eye, `words` say the same in full. */
export type Change = { short: string; words: string }

/** A ratio as a difference: "+8%" and "8% more"; null if it is too small to see. */
export function differenceOf(ratio: number): Change | null {
  if (Math.round(100 * ratio) === 0) return null
  const size = formatPercent(Math.abs(ratio))
  return {
    short: `${ratio > 0 ? '+' : '−'}${size}`,
    words: `${size} ${ratio > 0 ? 'more' : 'fewer'}`,
  }
}
