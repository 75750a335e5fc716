import { DAY_MS, MINUTE_MS } from '#contract/time.ts'

/** Rollups count by quarter-hours, because every zone's offset is a multiple of one. */
export const QUARTER_MS = 15 * MINUTE_MS

/** UTC day of an instant in epoch milliseconds, as days since 1970-01-01. */
export const utcDay = (at: number) => Math.floor(at / DAY_MS)

/** Quarter-hour of an instant in epoch milliseconds, counted since 1970-01-01T00:00Z. */
export const quarterOf = (at: number) => Math.floor(at / QUARTER_MS)

/** Its beginning in ISO 8601. */
export const instantOf = (quarter: number) => new Date(quarter * QUARTER_MS).toISOString()

/** UTC month of a UTC day, as year * 12 + month from 0. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The first UTC day of a month. */
export const firstDayOfMonth = (month: number) =>
  utcDay(Date.UTC(Math.floor(month / 12), month % 12, 1))
