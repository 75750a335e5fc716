import { DateTime } from 'luxon'
import { quarterOf } from '../instants.ts'

/** One local day: its date, and its quarter-hours from `from` up to but not including `to`. */
export type LocalDay = { date: string; from: number; to: number }

const PATTERN = 'yyyy-MM-dd'

/** What a zone's days were when they were last asked for: it takes a millisecond to make them. */
const kept = new Map<string, { count: number; today: number; days: LocalDay[] }>()

/**
 * The last `count` days of a time zone, today included, oldest first. A day may have 23 or 25 hours.
 * @param zone a canonical name: each one stays in memory
 */
export function lastDays(count: number, zone: string, now: Date): LocalDay[] {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  const known = kept.get(zone)
  if (known?.count === count && known.today === today.toMillis()) return known.days
  const days = daysUntil(today, count)
  kept.set(zone, { count, today: today.toMillis(), days })
  return days
}

function daysUntil(today: DateTime, count: number): LocalDay[] {
  return Array.from({ length: count }, (_, index) => {
    const day = today.minus({ days: count - 1 - index })
    return {
      date: day.toFormat(PATTERN),
      from: beginningOf(day, 'day'),
      to: beginningOf(day.plus({ days: 1 }), 'day'),
    }
  })
}

/** The first quarter-hour of the current month in a time zone, or of the one so many months before. */
export function monthStart(zone: string, now: Date, before = 0): number {
  return beginningOf(DateTime.fromJSDate(now, { zone }).minus({ months: before }), 'month')
}

/** If clocks go back from one to midnight, midnight comes twice, and the day begins with the first. */
function beginningOf(instant: DateTime, unit: 'day' | 'month'): number {
  const midnights = instant.startOf(unit).getPossibleOffsets()
  return quarterOf(Math.min(...midnights.map((midnight) => midnight.toMillis())))
}
