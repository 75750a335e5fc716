import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/time.ts'

/** Pauses after the first, second … failed try of one delivery: three days in all. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  5 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  30 * HOUR_MS,
]

/** A try is never further away. */
export const PAUSE_MAX_MS = Math.max(...PAUSES_MS)

/** The longest pause that a receiver can ask for with Retry-After */
const ASKED_MAX_MS = HOUR_MS

/**
 * How long the receiver asks us to wait: seconds or a date, with 429 and 503 (RFC 9110 §10.2.3, RFC 6585 §4).
 * At most an hour, and 0 if it asks for nothing.
 */
export function askedPause(
  { status, retryAfter }: { status: number | null; retryAfter: string | undefined },
  now: Date,
): number {
  if (retryAfter === undefined || (status !== 429 && status !== 503)) return 0
  const asked = /^\d{1,10}$/.test(retryAfter)
    ? Number(retryAfter) * SECOND_MS
    : Date.parse(retryAfter) - now.getTime()
  return Math.min(Math.max(asked, 0) || 0, ASKED_MAX_MS)
}

/** When a delivery is tried again after this many failed tries, not before `askedMs`; undefined if never. */
export function nextTry(attempts: number, now: Date, askedMs: number): number | undefined {
  const pause = PAUSES_MS[attempts - 1]
  return pause === undefined ? undefined : now.getTime() + Math.max(pause, askedMs)
}

/** After this many failures in a row an endpoint is down: it rests, and is asked by one delivery at a time. */
export const DOWN_AFTER = 3

/** Pauses of an endpoint that is down, each twice as long: a short outage is followed by a short silence. */
const RESTS_MS = [5, 10, 20, 40, 80, 160, 320].map((seconds) => seconds * SECOND_MS)
const LAST_REST_MS = 10 * MINUTE_MS

/** A rest is never longer. */
export const REST_MAX_MS = Math.max(LAST_REST_MS, ASKED_MAX_MS)

/**
 * Until when an endpoint rests; null if it does not. One that is down is asked again by one delivery at a
 * time, not by all that wait. One that asks for a pause gets it, whatever else it has taken.
 */
export function restAfter(fails: number, now: Date, askedMs: number): number | null {
  const own = fails < DOWN_AFTER ? 0 : (RESTS_MS[fails - DOWN_AFTER] ?? LAST_REST_MS)
  const rest = Math.max(own, askedMs)
  return rest === 0 ? null : now.getTime() + rest
}

/** An endpoint that takes nothing for this time is switched off. */
export const OFF_AFTER_MS = 3 * DAY_MS
