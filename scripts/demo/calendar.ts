import { DAY_MS } from '#contract/time.ts'
import { utcDay } from '../../src/server/analytics/instants.ts'

const HOUR_MS = 60 * 60 * 1000

/** Monday first. */
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
export type Weekday = (typeof weekdays)[number]

/** The place of a UTC day (days since 1970-01-01, a Thursday) in its week, from 0 for Monday. */
export const weekdayIndex = (day: number) => (day + 3) % 7

/** The instant of an hour, which may have a fraction, of a UTC day in epoch milliseconds. */
export const instantOf = (day: number, hour: number) => day * DAY_MS + Math.round(hour * HOUR_MS)

/** Days as a business speaks of them, seen from today; all are UTC days since 1970-01-01. */
export class Calendar {
  readonly now: number
  readonly today: number

  constructor(now: Date) {
    this.now = now.getTime()
    this.today = utcDay(this.now)
  }

  ago(days: number): number {
    return this.today - days
  }

  /** The latest such weekday that is at least so many days ago; a negative number looks ahead. */
  lastly(weekday: Weekday, daysAgo: number): number {
    const latest = this.today - daysAgo
    return latest - ((weekdayIndex(latest) - weekdays.indexOf(weekday) + 7) % 7)
  }
}
