import { DateTime } from 'luxon'
import { quarterOf } from './instants.ts'

/** One local day: its date, and its quarter-hours from `from` up to but not including `to`. */
export type LocalDay = { date: string; from: number; to: number }

const PATTERN = 'yyyy-MM-dd'

/** The last `count` days of a time zone, today included, oldest first. Days may have 23 or 25 hours. */
export function lastDays(count: number, zone: string, now: Date): LocalDay[] {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  return Array.from({ length: count }, (_, index) => {
    const day = today.minus({ days: count - 1 - index })
    return {
      date: day.toFormat(PATTERN),
      from: quarterOf(day.startOf('day').toMillis()),
      to: quarterOf(day.plus({ days: 1 }).startOf('day').toMillis()),
    }
  })
}

/** The first quarter-hour of the current month in a time zone. */
export function monthStart(zone: string, now: Date): number {
  return quarterOf(DateTime.fromJSDate(now, { zone }).startOf('month').toMillis())
}
