import { DAY_MS } from '#contract/time.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** Pauses after the first, second … failed try of one delivery: three days in all. */
const PAUSES_MS = [
  ...[5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 15 * MINUTE_MS],
  ...[HOUR_MS, 5 * HOUR_MS, 12 * HOUR_MS, DAY_MS, 30 * HOUR_MS],
]

/** A try is never further away. */
export const PAUSE_MAX_MS = Math.max(...PAUSES_MS)

/** When a delivery that failed so often is tried again; undefined where it is given up. */
export function nextTry(attempts: number, now: Date): number | undefined {
  const pause = PAUSES_MS[attempts - 1]
  return pause === undefined ? undefined : now.getTime() + pause
}

/** Pauses of an endpoint at which nothing arrives, from the third failure in a row on. */
const RESTS_MS = [0, 0, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS]
export const REST_MAX_MS = 10 * MINUTE_MS

/** An endpoint that is down is asked again by one delivery at a time, not by all that wait. */
export function restAfter(fails: number, now: Date): number | null {
  if (fails === 0) return null
  const rest = RESTS_MS[fails - 1] ?? REST_MAX_MS
  return rest === 0 ? null : now.getTime() + rest
}

/** Nothing has arrived for so long: the endpoint is switched off. */
export const OFF_AFTER_MS = 3 * DAY_MS
