import { LRUCache } from 'lru-cache'
import { DateTime, IANAZone } from 'luxon'
import { DAY_MS, MINUTE_MS } from '#contract/time.ts'
import { orMade } from './or-made.ts'

/*
 * Days, months and zones on the server. Scans are counted by quarter-hours, because every zone's offset
 * is a multiple of one. The clocks of a zone show `shown`: quarter-hours since 1970-01-01T00:00 on them,
 * so that a multiple of a day's quarter-hours is a midnight there.
 */

export const QUARTER_MS = 15 * MINUTE_MS
export const QUARTERS_A_DAY = DAY_MS / QUARTER_MS

/** UTC day of an instant in epoch milliseconds, as days since 1970-01-01. */
export const utcDay = (at: number) => Math.floor(at / DAY_MS)

/** Quarter-hour of an instant in epoch milliseconds, counted since 1970-01-01T00:00Z. */
export const quarterOf = (at: number) => Math.floor(at / QUARTER_MS)

/** The beginning of a quarter-hour in ISO 8601. */
export const isoOfQuarter = (quarter: number) => iso(quarter * QUARTER_MS)

type Iso<At> = At extends number ? string : null

/** An instant in epoch milliseconds in ISO 8601; null stays null. */
export const iso = <At extends number | null>(at: At) =>
  (at === null ? null : new Date(at).toISOString()) as Iso<At>

/** A day since 1970-01-01 as yyyy-mm-dd. */
export const dateText = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** 0 on a Monday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number) => (day + 3) % 7

/** The zone; UTC without one, and for one that another version of Intl knew. */
export const knownZone = (zone: string | null) =>
  zone !== null && IANAZone.isValidZone(zone) ? zone : 'UTC'

/** The day and hour of an instant in an IANA zone. */
export function localTime(instant: Date | number, zone: string | null) {
  const here = DateTime.fromMillis(Number(instant), { zone: knownZone(zone) })
  return { date: here.toFormat('yyyy-MM-dd'), hour: here.hour }
}

/** The month of a day since 1970-01-01, as year * 12 + month from 0. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The first day of a month, as days since 1970-01-01. */
export const firstDayOfMonth = (month: number) =>
  utcDay(Date.UTC(Math.floor(month / 12), month % 12, 1))

/** From the quarter-hour `from` on, a zone is `ahead` quarter-hours ahead of UTC. */
export type Offset = { from: number; ahead: number }

/** Returns what clocks show at a quarter-hour. */
export function shownAt(offsets: readonly Offset[], quarter: number): number {
  let index = offsets.length - 1
  while (index > 0 && (offsets[index] as Offset).from > quarter) index--
  return quarter + (offsets[index] as Offset).ahead
}

/**
 * The first quarter-hour at which clocks show `shown` or later: so a midnight that does not exist is
 * where the day begins, and of one that comes twice it is the first.
 */
export function firstShown(offsets: readonly Offset[], shown: number): number {
  for (const [index, { from, ahead }] of offsets.entries()) {
    const quarter = index === 0 ? shown - ahead : Math.max(from, shown - ahead)
    if (quarter < (offsets[index + 1]?.from ?? Number.POSITIVE_INFINITY)) return quarter
  }
  throw new RangeError('a zone has at least one offset')
}

/** One local day: its date, and its quarter-hours from `from` up to but not including `to`. */
export type LocalDay = { date: string; from: number; to: number }

/**
 * The last `count` days of a time zone, today included, oldest first. A day may have 23 or 25 hours.
 * @param zone a canonical name, as for `offsetsIn`
 */
export function lastDays(count: number, zone: string, now: Date): LocalDay[] {
  const { offsets, today } = todayIn(zone, now, count + 1)
  return Array.from({ length: count }, (_, index) => {
    const day = today - count + 1 + index
    return {
      date: dateText(day),
      from: firstShown(offsets, day * QUARTERS_A_DAY),
      to: firstShown(offsets, (day + 1) * QUARTERS_A_DAY),
    }
  })
}

/** The first quarter-hour of the current month in a time zone, or of the month `before` months earlier. */
export function monthStart(zone: string, now: Date, before = 0): number {
  const { offsets, today } = todayIn(zone, now, (before + 1) * 31 + 1)
  return firstShown(offsets, firstDayOfMonth(monthOf(today) - before) * QUARTERS_A_DAY)
}

function todayIn(zone: string, now: Date, daysBack: number) {
  const quarter = quarterOf(now.getTime())
  const begin = quarter - daysBack * QUARTERS_A_DAY
  const offsets = offsetsIn(zone, begin, quarter + 2 * QUARTERS_A_DAY)
  return { offsets, today: Math.floor(shownAt(offsets, quarter) / QUARTERS_A_DAY) }
}

/** Two changes of one zone's clocks are further apart than this. */
const PROBE = 4 * QUARTERS_A_DAY

const YEARS_KEPT = 2_000
const years = new LRUCache<string, Offset[]>({ max: YEARS_KEPT })

/**
 * The offsets of a zone in a period, oldest first; the first one begins before it.
 * @param zone a canonical name: Luxon keeps each one that it meets
 */
export function offsetsIn(zone: string, from: number, to: number): Offset[] {
  const offsets: Offset[] = []
  const [first, last] = [from, to].map((quarter) => new Date(quarter * QUARTER_MS).getUTCFullYear())
  for (let year = first as number; year <= (last as number); year++) {
    for (const offset of offsetsOfYear(zone, year)) {
      if (offset.ahead !== offsets.at(-1)?.ahead) offsets.push(offset)
    }
  }
  return offsets
}

function offsetsOfYear(zone: string, year: number): Offset[] {
  const [from, end] = [year, year + 1].map((each) => quarterOf(Date.UTC(each, 0)))
  return orMade(years, `${year} ${zone}`, () => findChanges(zone, from as number, end as number))
}

function findChanges(zone: string, from: number, end: number): Offset[] {
  const offsets = [{ from, ahead: aheadAt(zone, from) }]
  for (let probe = from; probe < end; probe += PROBE) {
    const next = Math.min(probe + PROBE, end)
    const ahead = aheadAt(zone, next)
    if (ahead === offsets.at(-1)?.ahead) continue
    const change = changeBetween(zone, probe, next)
    if (change < end) offsets.push({ from: change, ahead })
  }
  return offsets
}

/** Binary search for the offset change after `before` and up to `after`. */
function changeBetween(zone: string, before: number, after: number): number {
  const ahead = aheadAt(zone, after)
  let [low, high] = [before, after]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (aheadAt(zone, middle) === ahead) high = middle
    else low = middle
  }
  return high
}

function aheadAt(zone: string, quarter: number): number {
  const minutes = IANAZone.create(zone).offset(quarter * QUARTER_MS)
  return Math.floor(minutes / 15)
}
