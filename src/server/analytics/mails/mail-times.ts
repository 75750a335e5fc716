import { DateTime } from 'luxon'
import { knownZone } from '../../dates.ts'

/** A week from Monday to Sunday, or a month. */
export type Every = 'weekly' | 'monthly'

/** A period's first and last day, such as 2026-11-16 and 2026-11-22. */
export type Days = { first: string; last: string }

/** The hour on the clocks of the person's zone at which a mail comes. */
const HOUR = 7

const units = { weekly: 'week', monthly: 'month' } as const
const steps = { weekly: { weeks: 1 }, monthly: { months: 1 } } as const

/** The weekdays begin with Monday (ISO 8601). */
function latestTurn(every: Every, zone: string, now: Date): DateTime {
  const here = DateTime.fromJSDate(now, { zone: knownZone(zone) })
  const turn = atHour(here.startOf(units[every]))
  return turn > here ? atHour(turn.minus(steps[every])) : turn
}

const atHour = (day: DateTime) => day.set({ hour: HOUR })

/** The last period whose mail is due, however long ago it was due. */
export function latestPeriod(every: Every, zone: string, now: Date): Days {
  const turn = latestTurn(every, zone, now)
  return { first: dateOf(turn.minus(steps[every])), last: dateOf(turn.minus({ days: 1 })) }
}

/** When the mail after that comes. */
export function nextTurn(every: Every, zone: string, now: Date): Date {
  return atHour(latestTurn(every, zone, now).plus(steps[every])).toJSDate()
}

const dateOf = (day: DateTime) => day.toFormat('yyyy-MM-dd')
