import { DateTime } from 'luxon'
import { quarterOf } from '../instants.ts'

/** One local day: its date, and its quarter-hours from `from` up to but not including `to`. */
export type LocalDay = { date: string; from: number; to: number }

const PATTERN = 'yyyy-MM-dd'

/** The last `count` days of a time zone, today included, oldest first. A day may have 23 or 25 hours. */
export function lastDays(count: number, zone: string, now: Date): LocalDay[] {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  return Array.from({ length: count }, (_, index) => {
    const day = today.minus({ days: count - 1 - index })
    return {
      date: day.toFormat(PATTERN),
      from: beginningOf(day, 'day'),
      to: beginningOf(day.plus({ days: 1 }), 'day'),
    }
  })
}

/** The first quarter-hour of the current month in a time zone. */
export function monthStart(zone: string, now: Date): number {
  return beginningOf(DateTime.fromJSDate(now, { zone }), 'month')
}

/** If clocks go back from one to midnight, midnight comes twice, and the day begins with the first. */
function beginningOf(instant: DateTime, unit: 'day' | 'month'): number {
  const midnights = instant.startOf(unit).getPossibleOffsets()
  return quarterOf(Math.min(...midnights.map((midnight) => midnight.toMillis())))
}
