import { QUARTERS_A_DAY } from '../store/ledger/totals.ts'

/* Instants of figures are quarter-hours since 1970-01-01T00:00Z; all steps begin with one. */

/** From `from` up to but not including `to`. */
export type Period = { from: number; to: number }

/** From this quarter-hour on, a zone is so many quarter-hours ahead of UTC. */
export type Offset = { from: number; ahead: number }

/** The quarter-hour that clocks show, counted since 1970-01-01T00:00 on them. */
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

/** The UTC days that are in a period as a whole, as a period. */
export const wholeDays = ({ from, to }: Period): Period => ({
  from: Math.ceil(from / QUARTERS_A_DAY) * QUARTERS_A_DAY,
  to: Math.floor(to / QUARTERS_A_DAY) * QUARTERS_A_DAY,
})

/** The UTC days that have a part of a period, as a period. */
export const coveringDays = ({ from, to }: Period): Period => ({
  from: Math.floor(from / QUARTERS_A_DAY) * QUARTERS_A_DAY,
  to: Math.ceil(to / QUARTERS_A_DAY) * QUARTERS_A_DAY,
})

/** 0 on a Monday. 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number) => (day + 3) % 7
