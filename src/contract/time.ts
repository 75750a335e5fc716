/** An hour in milliseconds. */
export const HOUR_MS = 60 * 60 * 1000
/** A day of 24 hours in milliseconds, as UTC has them. */
export const DAY_MS = 24 * HOUR_MS
