import { QUARTERS_A_DAY } from '../../dates.ts'

/* Instants of figures are quarter-hours since 1970-01-01T00:00Z; all steps begin with one. */

/** From `from` up to but not including `to`. */
export type Period = { from: number; to: number }

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
